import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';
import {grpcReceiver, httpReceiver} from './otlp-receiver.ts';

const KEY = {'x-service-key': 'the-key-of-admin', 'content-type': 'application/json'};
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

async function tracedService(env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-traces-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const {settings} = readSettings({
    SERVICE_PORT: '0',
    SERVICE_DATA_DIR: folder,
    SERVICE_INITIAL_ADMIN_TOKEN: 'the-key-of-admin',
    SERVICE_TRACE_ENABLE: 'true',
    ...env,
  });
  const log = createJsonLog({level: 'ERROR', clock: systemClock, to: {write() {}}});
  return startService(settings, log, openStore);
}

const ask = (address: string, query: string) =>
  fetch(`${address}/graphql/main`, {
    method: 'POST',
    headers: {...KEY, traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`},
    body: JSON.stringify({query}),
  });

const QUERY = 'query { BuiltinTag { count } ServiceInfo { version } }';
const MUTATION = 'mutation { BuiltinTagCreate(data: {name: {value: "a"}}) { ok } }';

const TASK = 'mutation { BranchCreate(data: {name: "later"}, wait_until_completion: false) { task { id } } }';

interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

interface OtlpMessage {
  readonly resourceSpans: readonly {readonly scopeSpans: readonly {readonly spans: readonly JsonSpan[]}[]}[];
}

describe('traces', () => {
  test('go to a collector over HTTP: the request, each root field in it, and its statements in those', async () => {
    const receiver = await httpReceiver();
    const service = await tracedService({
      SERVICE_TRACE_EXPORTER_PROTOCOL: 'http',
      SERVICE_TRACE_EXPORTER_ENDPOINT: receiver.endpoint,
    });
    expect((await ask(service.address, QUERY)).status).toBe(200);
    expect((await ask(service.address, MUTATION)).status).toBe(200);
    expect((await ask(service.address, TASK)).status).toBe(200);
    const later = `${service.address}/api/schema/summary?branch=later`;
    while ((await fetch(later, {headers: KEY})).status !== 200);
    await service.stop();
    await receiver.close();
    const spans = receiver.received.flatMap(body => {
      const {resourceSpans} = JSON.parse(body.toString()) as OtlpMessage;
      return resourceSpans.flatMap(({scopeSpans}) => scopeSpans.flatMap(scope => scope.spans));
    });
    const own = spans.filter(span => span.traceId === TRACE_ID);
    const requests = own.filter(span => span.name === 'POST /graphql/*');
    expect(requests.map(span => span.parentSpanId)).toEqual(Array(3).fill('b7ad6b7169203331'));
    const above = new Map(own.map(span => [span.spanId, span]));
    const parentName = (name: string) => {
      const span = own.find(each => each.name === name);
      return span === undefined ? 'not there' : above.get(span.parentSpanId ?? '')?.name;
    };
    expect(parentName('graphql BuiltinTag')).toBe('POST /graphql/*');
    expect(parentName('graphql ServiceInfo')).toBe('POST /graphql/*');
    expect(parentName('graphql BuiltinTagCreate')).toBe('POST /graphql/*');
    expect(spans.map(span => span.name)).toEqual(expect.arrayContaining(['task branch-create']));
    expect(parentName('store INSERT')).toBe('graphql BuiltinTagCreate');
  });

  test('go to a collector over gRPC', async () => {
    const receiver = await grpcReceiver();
    const service = await tracedService({SERVICE_TRACE_EXPORTER_ENDPOINT: receiver.endpoint});
    await ask(service.address, QUERY);
    await service.stop();
    await receiver.close();
    const bytes = Buffer.concat(receiver.received);
    expect(bytes.includes('graphql BuiltinTag')).toBe(true);
    expect(bytes.includes(Buffer.from(TRACE_ID, 'hex'))).toBe(true);
  });

  test.each(['grpc', 'http'])('nothing happens when no collector listens for %s', async protocol => {
    const gone = await httpReceiver();
    await gone.close();
    const service = await tracedService({
      SERVICE_TRACE_EXPORTER_PROTOCOL: protocol,
      SERVICE_TRACE_EXPORTER_ENDPOINT: gone.endpoint,
    });
    expect((await ask(service.address, MUTATION)).status).toBe(200);
    expect(await service.stop()).toBe(true);
  });
});
