# Not tried: there was no container engine where this was written.
FROM node:24-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git python3 python3-venv bubblewrap openssh-client \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/trellis
COPY . .
RUN npm install --no-save --omit=dev --no-audit --no-fund && mkdir -p /data && chown node /data
USER node
ENV SERVICE_HOST=0.0.0.0 SERVICE_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=10s CMD node -e "fetch('http://127.0.0.1:8000/api/health').then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"
CMD ["node_modules/node/bin/node", "src/main/serve.ts"]
