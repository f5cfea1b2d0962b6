// The protocol through the official clients and through raw lines, without the product behind it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';

import {
  RawClient, clientKinds, connect, echoServer, modernMeta, officialSchema, readWire, serverMessages,
  temporaryFolder,
} from './lib.mjs';

for (const { kind, revision } of clientKinds) {
  describe(`official client ${kind}`, () => {
    test('lists and calls tools; refusals and protocol errors arrive as what they are', async (t) => {
      const session = await connect(t, kind, echoServer());
      const tools = await session.tools();
      assert.deepEqual(tools.map((tool) => tool.name), ['echo', 'fail', 'crash']);
      assert.equal(tools[0].title, 'Echo');
      assert.equal(session.client.getServerVersion().name, 'fake');
      assert.equal(session.client.getInstructions(), 'Call echo first.');

      assert.deepEqual(await session.call('echo', { text: 'hé\n"' }), {
        text: '{"echoed":{"text":"hé\\n\\""}}',
        structured: { echoed: { text: 'hé\n"' } },
        isError: false,
      });
      assert.deepEqual(await session.call('fail'), {
        text: 'Gate closed: finish phase 1 first.',
        structured: undefined,
        isError: true,
      });
      await assert.rejects(session.call('ecko'), { code: -32602, message: /did you mean "echo"/ });
      await assert.rejects(session.call('crash'), (error) => {
        assert.equal(error.code, -32603);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
      assert.equal((await session.call('echo')).isError, false);
    });

    test(`speaks ${revision}, and every line from the server is valid in it`, async (t) => {
      const schema = officialSchema(t, revision);
      if (!schema) return;
      const wire = path.join(temporaryFolder(t), 'wire');
      const session = await connect(t, kind, echoServer(), { wire });
      await session.tools();
      await session.call('echo', { text: 'x' });
      await session.call('fail');
      await assert.rejects(session.call('nope'));
      if (revision < '2026') await session.client.ping();
      await session.close();

      const recorded = readWire(wire);
      const messages = serverMessages(recorded);
      assert.ok(messages.length >= 5);
      for (const message of messages) schema.checkMessage(message);
      const asked = recorded.filter((entry) => entry.from === 'client').map((entry) => entry.line);
      assert.ok(asked.some((line) => line.includes(revision)), `nobody asked for ${revision}`);
      const methods = asked.map((line) => JSON.parse(line).method);
      assert.equal(methods.includes('initialize'), revision < '2026');
      assert.equal(methods.includes('server/discover'), revision >= '2026');

      // Whether by a signal or by the end of its input: each process ended by itself, in order.
      const started = new Set(recorded.map((entry) => entry.pid));
      const ends = recorded.filter((entry) => entry.from === 'end');
      assert.equal(ends.length, started.size);
      for (const end of ends) assert.deepEqual([end.code, end.signal], [0, null]);
    });

    test('500 calls at once are all answered', async (t) => {
      const session = await connect(t, kind, echoServer());
      const numbers = Array.from({ length: 500 }, (_, index) => index);
      const answers = await Promise.all(numbers.map((n) => session.call('echo', { text: `${n}` })));
      assert.deepEqual(answers.map((answer) => Number(answer.structured.echoed.text)), numbers);
    });

    test('killed in the middle, a new process serves a new client', async (t) => {
      const first = await connect(t, kind, echoServer());
      await first.call('echo');
      const killed = first.pid;
      await first.kill9();
      await assert.rejects(first.call('echo'));
      const second = await connect(t, kind, echoServer());
      assert.notEqual(second.pid, killed);
      assert.equal((await second.call('echo')).isError, false);
    });
  });
}

describe('raw lines', () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`handshake with ${revision}`, async (t) => {
      const client = new RawClient(t, echoServer());
      assert.equal((await client.initialize(revision)).protocolVersion, revision);
      const { tools } = (await client.request('tools/list')).result;
      assert.equal('title' in tools[0], revision >= '2025-06-18');
      assert.equal('annotations' in tools[0], revision >= '2025-03-26');
      const { result } = await client.request('tools/call', { name: 'echo', arguments: {} });
      assert.equal('structuredContent' in result, revision >= '2025-06-18');
      assert.deepEqual(await client.close(), { code: 0, signal: null, rest: [] });
    });
  }

  for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28']) {
    test(`every answer to legitimate and to wrong requests is valid in ${revision}`, async (t) => {
      const schema = officialSchema(t, revision);
      if (!schema) return;
      const client = new RawClient(t, echoServer());
      const modern = revision >= '2026';
      if (!modern) await client.initialize(revision);
      const requests = [
        ['server/discover', {}], ['tools/list', {}], ['tools/list', { cursor: 'x' }],
        ['tools/call', { name: 'echo', arguments: { text: 'x' } }], ['tools/call', { name: 'fail' }],
        ['tools/call', { name: 'crash' }], ['tools/call', { name: 'nope' }], ['tools/call', {}],
        ['tools/call', { name: 'echo', arguments: [] }], ['resources/list', {}], ['ping', {}],
        ['logging/setLevel', { level: 'debug' }], ['no/such', {}],
        ['tools/list', { _meta: modernMeta('2099-01-01') }],
      ];
      let answered = 0;
      for (const [method, params] of requests) {
        const _meta = params._meta ?? (modern ? modernMeta() : undefined);
        const message = await client.request(method, { ...params, _meta });
        // The refusal of another era's envelope is that era's business.
        if (!modern && params._meta) continue;
        schema.checkMessage({ message, request: { method } });
        answered += 1;
      }
      assert.ok(answered >= requests.length - 1);
      // Errors without an id exist in the schemas from 2025-11-25 on.
      for (const line of ['garbage', '42', '[]', '{"jsonrpc":"2.0","id":null,"method":"ping"}']) {
        const message = await client.exchange(line);
        assert.ok(!('id' in message));
        if (revision >= '2025-11-25') schema.checkMessage({ message });
      }
      assert.equal((await client.close()).code, 0);
    });
  }

  test('a batch is answered as a batch in 2025-03-26 and refused everywhere else', async (t) => {
    const client = new RawClient(t, echoServer());
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    assert.equal((await client.exchange([ping])).error.code, -32600);
    await client.initialize('2025-03-26');
    assert.deepEqual(await client.exchange([ping, ping]), [
      { jsonrpc: '2.0', id: 'p', result: {} }, { jsonrpc: '2.0', id: 'p', result: {} },
    ]);
  });

  for (const signal of ['SIGTERM', 'SIGINT']) {
    test(`${signal} ends the server in order although its input stays open`, async (t) => {
      const client = new RawClient(t, echoServer());
      await client.request('ping');
      client.child.kill(signal);
      assert.deepEqual(await client.exited, { code: 0, signal: null });
    });
  }

  test('a client that stops listening ends the server in order', async (t) => {
    const client = new RawClient(t, echoServer());
    await client.request('ping');
    client.child.stdout.destroy();
    client.send({ jsonrpc: '2.0', id: 'x', method: 'ping' });
    assert.deepEqual(await client.exited, { code: 0, signal: null });
  });
});
