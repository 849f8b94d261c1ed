// Runs in the browser, after Swagger UI: the page has no script of its own, so that it needs no leave for one.

const {SwaggerUIBundle} = /** @type {any} */ (globalThis);

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
