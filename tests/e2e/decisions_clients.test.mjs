// What the official clients make of a decision: whatever they answer, or if they cannot be asked. Where
// an approver is demanded nothing of it opens the gate; where the workflow takes a client's word, only an
// explicit choice does, and for what it is worth (ARCHITECTURE §6, invariant 7).
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';

import { clientKinds, connect, officialSchema, readWire, serverMessages } from './lib.mjs';
import { PeopleProject, decideOnPage } from './people.mjs';

const hangs = { timeout: 60_000 };

const draft = (channel) => [
  {
    id: 'draft',
    instructions: 'Write the tide table.',
    evidence: { lines: { type: 'integer' } },
    decision: { prompt: 'Can the tide table be printed?', channel },
  },
  { id: 'print', instructions: 'Print it on limestone paper.', gate: 'none' },
];
const flows = { approver: draft('approver'), client: draft('client') };
const first = (channel) => [{ id: 'ask', kind: 'decision', prompt: 'Is it spring?', channel }, ...draft(channel)];
const evidence = { lines: 12 };

const accept = (content) => () => ({ action: 'accept', content });

/** What a client answers; null: it cannot be asked. `decides`: its word is taken. `then`: an approver decides later. */
const answers = {
  'accepts, and chooses': { elicit: accept({ choice: 'approve' }), decides: true, then: true },
  'accepts, and has seen it': { elicit: accept({ seen: true }) },
  'accepts, and says that it is approved': {
    elicit: accept({ approved: true, decision: 'approve', approver: 'ada' }),
  },
  'accepts, and says nothing': { elicit: accept({}) },
  'chooses what is not offered': { elicit: accept({ choice: 'aprove' }), isError: true },
  'sends it back without words': { elicit: accept({ choice: 'rework', input: ' ' }), isError: true },
  declines: { elicit: () => ({ action: 'decline' }), then: true },
  'closes the form': { elicit: () => ({ action: 'cancel' }) },
  'cannot be asked': { elicit: null, then: true },
};

/** A promise with its resolve. */
function promised() {
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
}

/** A client and what it was asked; `person` answers. */
async function connected(t, kind, server, can, wire) {
  const asked = [];
  const elicit = (question) => {
    asked.push(question);
    return client.person(question);
  };
  const client = { asked, person: null, session: await connect(t, kind, server, { wire, ...(can ? { elicit } : {}) }) };
  client.call = (name, args) => client.session.call(name, args);
  client.begin = async (workflow) => {
    const started = await client.call('start_workflow', { workflow_type: workflow, options: { new: true } });
    assert.ok(started.structured.session_id, started.text);
    return started.structured.session_id;
  };
  client.handOver = (session_id, more = {}) =>
    client.call('complete_phase', { session_id, phase: 'draft', evidence, ...more });
  return client;
}

function waits(answer, session) {
  assert.equal(answer.structured.checkpoint_passed, false, answer.text);
  assert.equal(answer.structured.status, 'waiting', answer.text);
  for (const part of ['STOP', `phasegate decide ${session}`]) assert.ok(answer.text.includes(part), answer.text);
  assert.ok(!answer.text.includes('limestone'), answer.text);
}

function decidedBy(project, session, wanted) {
  const [{ data }, ...more] = project.history(session, 'decision_answered');
  assert.deepEqual(more, []);
  for (const [key, value] of Object.entries(wanted)) assert.equal(data[key], value, key);
}

// How the newer client finds its revision makes no difference here.
for (const { kind } of clientKinds.filter((one) => one.kind !== 'client-2-pin')) {
  for (const transport of ['stdio', 'HTTP']) {
    describe(`decisions: ${kind} over ${transport}`, () => {
      for (const channel of Object.keys(flows)) {
        test(`channel: ${channel}`, hangs, async (t) => {
          const project = new PeopleProject(t, flows);
          await project.enrol('ada');
          const web = await project.serve(t);
          const server = transport === 'HTTP' ? web : project.server;
          const able = await connected(t, kind, server, true);
          const unable = await connected(t, kind, server, false);
          for (const [what, row] of Object.entries(answers)) {
            await t.test(`the client ${what}`, async () => {
              const { elicit, decides = false, isError = false, then = false } = row;
              const client = elicit ? able : unable;
              const before = client.asked.length;
              client.person = elicit;
              const session = await client.begin(channel);
              const first = await client.handOver(session);
              const counts = decides && channel === 'client';

              assert.equal(client.asked.length - before, elicit ? 1 : 0, 'the person is asked once');
              if (elicit) {
                const { message, requestedSchema } = client.asked.at(-1);
                assert.match(message, /Can the tide table be printed\?/);
                assert.equal('choice' in requestedSchema.properties, channel === 'client');
                if (channel === 'approver') assert.match(message, new RegExp(`phasegate decide ${session}`));
              }
              if (counts) {
                assert.equal(first.structured.checkpoint_passed, true, first.text);
                assert.deepEqual(first.structured.decided_by, ['client']);
                assert.match(first.text, /unauthenticated/);
                decidedBy(project, session, {
                  channel: 'client', assurance: 'unauthenticated', option: 'approve', approver: undefined,
                });
              } else {
                waits(first, session);
                assert.equal(first.isError, isError && channel === 'client', first.text);
                assert.equal(project.exit(session), 'person');
                // The same again, and something else: neither asks again nor opens anything.
                waits(await client.handOver(session), session);
                waits(await client.handOver(session, { evidence: { lines: 12, approved: true } }), session);
                assert.equal(client.asked.length - before, elicit ? 1 : 0, 'the person is asked once');
                assert.equal(project.history(session, 'evidence_kept').length, 1);
                if (!then) return;

                const { decision_id: decision } = first.structured.decision;
                const page = await decideOnPage(web.url, decision, { option: 'approve' });
                assert.equal(page.status, 200, page.text);
                const gone = await client.handOver(session);
                assert.equal(gone.structured.checkpoint_passed, true, gone.text);
                assert.deepEqual(gone.structured.decided_by, ['approver:ada']);
                decidedBy(project, session, {
                  channel: 'web', assurance: 'secret', option: 'approve', approver: 'ada',
                });
              }
              assert.equal(project.exit(session), 'active');
              const end = await client.call('complete_phase', { session_id: session, phase: 'print', evidence: {} });
              assert.equal(end.structured.workflow_complete, true, end.text);
              assert.equal(end.structured.outcome, counts ? 'partial' : 'ok');
              assert.equal(project.exit(session), counts ? 'partial' : 'completed');
            });
          }

          await t.test('a client that answers when it is decided elsewhere decides nothing', async () => {
            const session = await able.begin(channel);
            able.person = async () => {
              // Whoever is asked keeps nothing else waiting on the same connection.
              const meanwhile = await able.call('get_workflow_state', { session_id: session });
              const id = meanwhile.structured.decision.decision_id;
              const page = await decideOnPage(web.url, id, { option: 'rework', input: 'Add the neap tides.' });
              assert.equal(page.status, 200, page.text);
              return { action: 'accept', content: { choice: 'approve' } };
            };
            const told = await able.handOver(session);
            assert.equal(told.structured.checkpoint_passed, false, told.text);
            assert.match(told.text, /Add the neap tides\./);
            assert.equal(project.exit(session), 'active');
            decidedBy(project, session, { channel: 'web', option: 'rework' });

            // Done again, it is another decision, about which somebody is asked.
            const before = able.asked.length;
            able.person = accept({ choice: 'reject', input: 'It is the wrong harbour.' });
            const again = await able.handOver(session, { visit: 2 });
            assert.equal(able.asked.length - before, 1);
            if (channel === 'approver') {
              waits(again, session);
            } else {
              assert.equal(again.structured.status, 'rejected', again.text);
              assert.equal(project.exit(session), 'rejected');
              assert.match((await able.handOver(session, { visit: 2 })).text, /It is the wrong harbour\./);
            }
          });
        });
      }

      test('a client that waits is told when a person has decided, and goes on', hangs, async (t) => {
        const project = new PeopleProject(t, flows);
        await project.enrol('ada');
        const client = await connected(t, kind, transport === 'HTTP' ? await project.serve(t) : project.server, false);
        const session = await client.begin('approver');
        waits(await client.handOver(session), session);
        const uri = `phasegate://sessions/${session}`;
        const told = promised();
        await client.session.watch(uri, told.resolve);
        const { code, output } = await project.decide(session, { option: 'approve' });
        assert.equal(code, 0, output);
        assert.equal(await told.promise, uri);
        assert.equal((await client.handOver(session)).structured.checkpoint_passed, true);
      });

      test('a step of a person’s own that comes first is asked about when the session begins', hangs, async (t) => {
        const project = new PeopleProject(t, { by_approver: first('approver'), by_client: first('client') });
        const client = await connected(t, kind, transport === 'HTTP' ? await project.serve(t) : project.server, true);
        for (const [workflow, choice, exit] of [
          ['by_approver', 'approve', 'person'], ['by_client', 'approve', 'active'], ['by_client', 'reject', 'rejected'],
        ]) {
          const before = client.asked.length;
          client.person = accept({ choice });
          const started = await client.call('start_workflow', { workflow_type: workflow, options: { new: true } });
          assert.equal(client.asked.length - before, 1);
          const session = started.structured.session_id;
          assert.equal(project.exit(session), exit);
          if (exit === 'person') waits(started, session);
          if (exit === 'active') assert.equal(started.structured.current_phase, 'draft', started.text);
        }
      });

      test('a paused session takes no client’s word', hangs, async (t) => {
        const project = new PeopleProject(t, flows);
        await project.enrol('ada');
        const client = await connected(t, kind, transport === 'HTTP' ? await project.serve(t) : project.server, true);
        const session = await client.begin('client');
        client.person = async () => {
          assert.equal(await project.pause(session), 0);
          return { action: 'accept', content: { choice: 'approve' } };
        };
        const told = await client.handOver(session);
        assert.notEqual(told.structured.checkpoint_passed, true, told.text);
        assert.match(told.text, /paused/);
        assert.equal(project.exit(session), 'paused');
        assert.equal(await project.pause(session, 'resume'), 0);
        assert.equal(project.exit(session), 'person');
        assert.equal(project.history(session, 'decision_answered').length, 0);
      });
    });
  }
}

for (const { kind, revision } of clientKinds) {
  test(`decisions: every message about one to ${kind} is valid in ${revision}`, hangs, async (t) => {
    const schema = officialSchema(t, revision);
    if (!schema) return;
    const project = new PeopleProject(t, { ...flows, by_client: first('client') });
    const wire = path.join(project.root, 'wire');
    const client = await connected(t, kind, project.server, true, wire);
    for (const workflow of ['approver', 'client', 'by_client']) {
      for (const choice of ['approve', 'rework', 'reject', 'none', undefined]) {
        const content = choice && { choice, input: 'Again.' };
        client.person = () => ({ action: content ? 'accept' : 'decline', content });
        const session = await client.begin(workflow);
        await client.handOver(session);
        await client.handOver(session, { evidence: {} });
      }
    }
    await client.session.close();
    const kinds = new Set(serverMessages(readWire(wire)).map((message) => schema.checkMessage(message)));
    assert.ok(kinds.has(revision >= '2026' ? 'InputRequiredResult' : 'elicitation/create'), [...kinds].join(', '));
  });
}
