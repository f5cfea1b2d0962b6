// What each official client can do with phasegate, over stdio and over HTTP: work through a phase, be
// refused a skip, ask a person, be told of changes, read resources, take prompts, complete arguments.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';

import { checkExchanges } from '../support/wire/exchanges.mjs';
import { RecordingProxy } from '../support/wire/recording_proxy.mjs';
import { atEnd, clientKinds, connect, officialSchema, readWire, serverMessages } from './lib.mjs';
import { Project, keys } from './project.mjs';

const transports = ['stdio', 'HTTP'];
const hangs = { timeout: 60_000 };

/** The server of a project as `transport` reaches it. */
const served = async (t, project, transport) => (transport === 'HTTP' ? project.serve(t) : project.server);

/** A session of `lighthouse` that has just begun: its id. */
async function begun(session, target = 'tower') {
  const started = await session.call('start_workflow', { workflow_type: 'lighthouse', target_file: target });
  assert.equal(started.isError, false, started.text);
  return started.structured.session_id;
}

/** Another assistant completes the first phase: a process of its own, over stdio. */
async function completedElsewhere(t, project, session_id) {
  const other = await connect(t, 'sdk-1', project.server);
  const passed = await other.call('complete_phase', { session_id, phase: '1', evidence: keys[1] });
  assert.equal(passed.isError, false, passed.text);
  await other.close();
}

/** A promise with its resolve. */
function promised() {
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
}

const people = {
  'says yes': { elicit: () => ({ action: 'accept', content: { confirm: true } }), status: 'cancelled' },
  'says no': { elicit: () => ({ action: 'accept', content: { confirm: false } }), status: 'active' },
  declines: { elicit: () => ({ action: 'decline' }), status: 'active' },
  'closes the form': { elicit: () => ({ action: 'cancel' }), status: 'active' },
};

for (const { kind } of clientKinds) {
  for (const transport of transports) {
    describe(`${kind} over ${transport}`, () => {
      test('works through phases and is refused a skip', hangs, async (t) => {
        const project = new Project(t);
        const session = await connect(t, kind, await served(t, project, transport));
        assert.equal(session.client.getServerVersion().name, 'phasegate');
        assert.match(session.client.getInstructions(), /^Work in phases/);
        const session_id = await begun(session);
        const skip = await session.call('complete_phase', { session_id, phase: '2', evidence: keys[2] });
        assert.equal(skip.isError, true);
        assert.equal(skip.structured.error, 'phase_sequence_violation');
        for (const phase of ['1', '2', '3']) {
          const passed = await session.call('complete_phase', { session_id, phase, evidence: keys[phase] });
          assert.equal(passed.structured.checkpoint_passed, true, passed.text);
        }
        assert.equal(project.status(session_id).status, 'completed');
      });

      for (const [person, { elicit, status }] of Object.entries(people)) {
        test(`cancel_workflow, when the person ${person}`, hangs, async (t) => {
          const project = new Project(t);
          const asked = [];
          const session = await connect(t, kind, await served(t, project, transport), {
            elicit: (question) => {
              asked.push(question);
              return elicit();
            },
          });
          const session_id = await begun(session);
          const answer = await session.call('cancel_workflow', { session_id, reason: 'The tower is gone' });
          assert.equal(answer.isError, false, answer.text);
          assert.equal(answer.structured.cancelled, status === 'cancelled', answer.text);
          assert.equal(asked.length, 1, 'a person is asked once');
          assert.match(asked[0].message, /lighthouse/);
          assert.match(asked[0].message, /The tower is gone/);
          assert.equal(project.status(session_id).status, status);
        });
      }

      test('cancel_workflow without a person to ask names the command', hangs, async (t) => {
        const project = new Project(t);
        const session = await connect(t, kind, await served(t, project, transport));
        const session_id = await begun(session);
        const answer = await session.call('cancel_workflow', { session_id });
        assert.equal(answer.isError, true);
        assert.equal(answer.structured.cancelled, false);
        assert.match(answer.text, new RegExp(`phasegate cancel ${session_id}`));
        assert.equal(project.status(session_id).status, 'active');
      });

      test('is told when another process completes a phase', hangs, async (t) => {
        const project = new Project(t);
        const session = await connect(t, kind, await served(t, project, transport));
        const session_id = await begun(session);
        const uri = `phasegate://sessions/${session_id}`;
        const updated = promised();
        await session.watch(uri, updated.resolve);
        await completedElsewhere(t, project, session_id);
        assert.equal(await updated.promise, uri);
        const status = await session.client.readResource({ uri });
        assert.match(status.contents[0].text, /phase 2 \(2 of 3\)/);
        const phase = await session.client.readResource({ uri: `${uri}/phases/2` });
        assert.match(phase.contents[0].text, /fulmar/);
      });

      test('reads resources, and none of a phase that is not reached', hangs, async (t) => {
        const project = new Project(t);
        const { client, ...session } = await connect(t, kind, await served(t, project, transport)).then(both);
        const session_id = await begun(session);
        const { resources } = await client.listResources();
        assert.ok(resources.some(({ uri }) => uri === 'phasegate://workflows'));
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate.includes('/phases/{phase}')));
        const first = await client.readResource({ uri: `phasegate://sessions/${session_id}/phases/1` });
        assert.match(first.contents[0].text, /feldspar/);
        await assert.rejects(client.readResource({ uri: `phasegate://sessions/${session_id}/phases/2` }), (error) => {
          // The newer client translates the older code, whatever came.
          assert.equal(error.code, kind === 'sdk-1' ? -32002 : -32602);
          assert.doesNotMatch(JSON.stringify(error), /razorbill|cormorant/);
          return true;
        });
      });

      test('takes prompts and has arguments completed', hangs, async (t) => {
        const project = new Project(t);
        const { client, ...session } = await connect(t, kind, await served(t, project, transport)).then(both);
        const session_id = await begun(session);
        const { prompts } = await client.listPrompts();
        assert.ok(prompts.some(({ name }) => name === 'lighthouse'));
        const { messages } = await client.getPrompt({ name: 'lighthouse', arguments: { target_file: 'the old tower' } });
        assert.match(messages[0].content.text, /start_workflow/);
        assert.match(messages[0].content.text, /the old tower/);
        await assert.rejects(client.getPrompt({ name: 'lighthuose' }), { code: -32602, message: /lighthouse/ });
        const { completion } = await client.complete({
          ref: { type: 'ref/resource', uri: 'phasegate://sessions/{session_id}' },
          argument: { name: 'session_id', value: session_id.slice(0, 8) },
        });
        assert.deepEqual(completion.values, [session_id]);
      });
    });
  }
}

/** A session together with its client, whose methods are the official ones. */
const both = (session) => ({ client: session.client, call: session.call.bind(session) });

// --- Every message is valid ----------------------------------------------------------------------

/** One of everything, well and badly. */
async function everything(t, project, session) {
  const { client } = session;
  const failing = (promise) => assert.rejects(promise);
  await session.tools();
  const session_id = await begun(session);
  const uri = `phasegate://sessions/${session_id}`;
  const updated = promised();
  await session.watch(uri, updated.resolve);
  await session.call('complete_phase', { session_id, phase: '2', evidence: {} });
  await failing(session.call('no_such_tool'));
  await completedElsewhere(t, project, session_id);
  await updated.promise;
  await client.listResources();
  await client.listResourceTemplates();
  await client.readResource({ uri });
  await client.readResource({ uri: 'phasegate://workflows' });
  await failing(client.readResource({ uri: `${uri}/phases/3` }));
  await client.listPrompts();
  await client.getPrompt({ name: 'lighthouse', arguments: { target_file: 'x' } });
  await failing(client.getPrompt({ name: 'none' }));
  const ref = { type: 'ref/resource', uri: 'phasegate://sessions/{session_id}' };
  await client.complete({ ref, argument: { name: 'session_id', value: '' } });
  await failing(client.complete({ ref: { ...ref, uri: 'none://{x}' }, argument: { name: 'x', value: '' } }));
  await session.call('cancel_workflow', { session_id });
  await session.close();
}

/** What has to have been among the messages, by era. */
const wanted = [
  'ListToolsResult', 'CallToolResult', 'ListResourcesResult', 'ListResourceTemplatesResult', 'ReadResourceResult',
  'ListPromptsResult', 'GetPromptResult', 'CompleteResult', 'notifications/resources/updated', 'error -32602',
];
const wantedLegacy = [...wanted, 'InitializeResult', 'EmptyResult', 'elicitation/create', 'error -32002'];
const wantedModern = [...wanted, 'DiscoverResult', 'InputRequiredResult', 'notifications/subscriptions/acknowledged'];

for (const { kind, revision } of clientKinds) {
  for (const transport of transports) {
    test(`every message to ${kind} over ${transport} is valid in ${revision}`, hangs, async (t) => {
      const schema = officialSchema(t, revision);
      if (!schema) return;
      const project = new Project(t);
      const elicit = () => ({ action: 'accept', content: { confirm: true } });
      const kinds = transport === 'HTTP'
        ? await overHttp(t, project, kind, revision, schema, elicit)
        : await overStdio(t, project, kind, schema, elicit);
      for (const each of revision >= '2026' ? wantedModern : wantedLegacy) {
        assert.ok(kinds.has(each), `${each} is not among ${[...kinds].join(', ')}`);
      }
    });
  }
}

async function overStdio(t, project, kind, schema, elicit) {
  const wire = path.join(project.root, 'wire');
  await everything(t, project, await connect(t, kind, project.server, { wire, elicit }));
  return new Set(serverMessages(readWire(wire)).map((message) => schema.checkMessage(message)));
}

async function overHttp(t, project, kind, revision, schema, elicit) {
  const proxy = await RecordingProxy.begin((await project.serve(t)).url);
  atEnd(t, () => proxy.close());
  await everything(t, project, await connect(t, kind, proxy, { elicit }));
  const counts = checkExchanges(proxy.exchanges, { [revision]: schema });
  return new Set(Object.keys(counts).map((key) => key.slice(revision.length + 1)));
}
