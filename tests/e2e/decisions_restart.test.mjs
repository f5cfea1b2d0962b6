// What becomes of a decision when the server is killed, wherever it is, and when something changes
// between what a person was shown and what they decide. Whoever comes next finds it exactly there
// (ARCHITECTURE §6; 003-33). Hooks can tell by `status --exit-code`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

import { connect } from './lib.mjs';
import { PeopleProject, decideOnPage, openPage, sendForm } from './people.mjs';

const hangs = { timeout: 60_000 };
const kinds = ['sdk-1', 'client-2-auto'];

const buoy = (decision) => [
  {
    id: 'buoy',
    instructions: 'Write the list of buoys.',
    evidence: { list: { type: 'string', format: 'project-path' } },
    decision: { prompt: 'Is every buoy on the list?', ...decision },
  },
  { id: 'chart', instructions: 'Draw them on the chart.', evidence: { sheets: { type: 'integer' } } },
];
const flows = {
  one: buoy({}),
  two: buoy({ approvers: { count: 2 } }),
  client: buoy({ channel: 'client' }),
  person_first: [{ id: 'ask', kind: 'decision', prompt: 'Is there anything to be charted?' }, ...buoy({})],
};
const evidence = { list: 'buoys.txt' };

function charted(t) {
  const project = new PeopleProject(t, flows);
  fs.writeFileSync(path.join(project.folder, 'buoys.txt'), 'north\nsouth\n');
  return project;
}

const handOver = (client, session_id, more = {}) =>
  client.call('complete_phase', { session_id, phase: 'buoy', evidence, ...more });

async function begun(client, workflow) {
  const started = await client.call('start_workflow', { workflow_type: workflow, options: { new: true } });
  assert.equal(started.isError, false, started.text);
  return started.structured.session_id;
}

/** Ends `phasegate serve` in the middle of whatever it does. */
async function serving(t, project) {
  const server = await project.launch(t);
  server.kill9 = async () => {
    const exited = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await exited;
  };
  return server;
}

for (const kind of kinds) {
  describe(`decisions survive SIGKILL: ${kind}`, () => {
    test('while the client is being asked: it waits, and nobody is asked again', hangs, async (t) => {
      const project = charted(t);
      await project.enrol('ada');
      let asked = 0;
      const dying = await connect(t, kind, project.server, {
        elicit: async () => {
          asked += 1;
          await dying.kill9();
          return { action: 'accept', content: { choice: 'approve' } };
        },
      });
      const session = await begun(dying, 'client');
      await assert.rejects(handOver(dying, session));
      assert.equal(asked, 1);
      assert.equal(project.exit(session), 'person');
      const decision = project.status(session).decision.id;

      const next = await connect(t, kind, project.server, { elicit: () => assert.fail('asked again') });
      for (let i = 0; i < 3; ++i) {
        const waiting = await handOver(next, session);
        assert.equal(waiting.structured.waiting_for_person, true, waiting.text);
        assert.equal(waiting.structured.decision.decision_id, decision);
      }
      assert.equal(project.history(session, 'decision_opened').length, 1);
      const { code, output } = await project.decide(session, { option: 'approve' });
      assert.equal(code, 0, output);
      const passed = await handOver(next, session);
      assert.equal(passed.structured.checkpoint_passed, true, passed.text);
      assert.deepEqual(passed.structured.decided_by, ['approver:ada']);
      assert.equal(project.exit(session), 'active');
    });

    for (const [option, exit] of [['approve', 'active'], ['rework', 'active'], ['reject', 'rejected']]) {
      test(`after it was opened, and after a person has chosen ${option}, before it is told`, hangs, async (t) => {
        const project = charted(t);
        await project.enrol('ada');
        let client = await connect(t, kind, project.server);
        const session = await begun(client, 'one');
        assert.equal((await handOver(client, session)).structured.waiting_for_person, true);
        await client.kill9();
        assert.equal(project.exit(session), 'person');
        client = await connect(t, kind, project.server);
        const { code, output } = await project.decide(session, { option, input: 'The west buoy is red.' });
        assert.equal(code, 0, output);
        await client.kill9();
        assert.equal(project.exit(session), exit);

        client = await connect(t, kind, project.server);
        const told = await handOver(client, session);
        assert.equal(told.structured.checkpoint_passed ?? false, option === 'approve', told.text);
        if (option === 'approve') return void assert.equal(told.structured.current_phase, 'chart');
        assert.ok(told.text.includes('The west buoy is red.'), told.text);
        if (option === 'reject') return;
        const again = await handOver(client, session, { visit: 2 });
        assert.equal(again.structured.waiting_for_person, true, again.text);
        assert.equal(project.exit(session), 'person');
      });
    }

    test('at a step that is a person’s own, before and after it is decided', hangs, async (t) => {
      const project = charted(t);
      await project.enrol('ada');
      let client = await connect(t, kind, project.server);
      const start = async () => client.call('start_workflow', { workflow_type: 'person_first', target_file: 'bay' });
      const session = (await start()).structured.session_id;
      await client.kill9();
      assert.equal(project.exit(session), 'person');
      client = await connect(t, kind, project.server);
      const resumed = await start();
      assert.equal(resumed.structured.session_id, session);
      assert.match(resumed.text, /STOP/);
      assert.equal((await project.decide(session, { option: 'approve' })).code, 0);
      await client.kill9();
      client = await connect(t, kind, project.server);
      const current = await client.call('get_current_phase', { session_id: session });
      assert.equal(current.structured.current_phase, 'buoy', current.text);
    });
  });
}

test('decisions survive SIGKILL: serve, between two of two, with a page that was opened before', hangs, async (t) => {
  const project = charted(t);
  await project.enrol('ada', 'bob');
  const first = await serving(t, project);
  const client = await connect(t, 'sdk-1', project.server);
  const session = await begun(client, 'two');
  const { decision_id: id } = (await handOver(client, session)).structured.decision;
  const answered = await decideOnPage(first.url, id, { as: 'bob', option: 'approve' });
  assert.equal(answered.status, 200, answered.text);
  const page = await openPage(first.url, id);
  await first.kill9();
  await client.kill9();
  assert.equal(project.exit(session), 'person');

  const second = await serving(t, project);
  const twice = await decideOnPage(second.url, id, { as: 'bob', option: 'approve' });
  assert.equal(twice.status, 403, twice.text);
  page.address = new URL(page.address.pathname, second.url);
  const done = await sendForm(page, { as: 'ada', option: 'approve' });
  assert.equal(done.status, 200, done.text);
  await second.kill9();
  assert.equal(project.exit(session), 'active');
  const told = await handOver(await connect(t, 'sdk-1', project.server), session);
  assert.deepEqual(told.structured.decided_by, ['approver:bob', 'approver:ada'], told.text);
});

test('decisions survive SIGKILL: the terminal, before the secret is given', hangs, async (t) => {
  const project = charted(t);
  await project.enrol('ada');
  const client = await connect(t, 'sdk-1', project.server);
  const session = await begun(client, 'one');
  await handOver(client, session);
  const terminal = await project.decideUntilSecret(session, { option: 'approve' });
  terminal.child.kill('SIGKILL');
  await terminal.exited;
  assert.equal(project.exit(session), 'person');
  assert.equal((await handOver(client, session)).structured.waiting_for_person, true);
  assert.equal((await project.decide(session, { option: 'approve' })).code, 0);
  assert.equal(project.exit(session), 'active');
});

// --- What was shown is what is decided about ---------------------------------------------------------

const changes = {
  'a file that was checked': { workflow: 'one', change: (project) => append(project, 'west\n') },
  'a file that is gone': { workflow: 'one', change: (project) => fs.rmSync(path.join(project.folder, 'buoys.txt')) },
  'what another approver has said': {
    workflow: 'two',
    change: async (project, session) => {
      assert.equal((await project.decide(session, { as: 'bob', option: 'approve' })).code, 0);
    },
  },
};

const append = (project, text) => fs.appendFileSync(path.join(project.folder, 'buoys.txt'), text);

for (const [what, { workflow, change }] of Object.entries(changes)) {
  test(`decisions: stale if it was not shown: ${what}`, hangs, async (t) => {
    const project = charted(t);
    await project.enrol('ada', 'bob');
    const web = await project.serve(t);
    const client = await connect(t, 'client-2-auto', project.server);

    for (const channel of ['terminal', 'page']) {
      const session = await begun(client, workflow);
      append(project, '');
      const { decision_id: id } = (await handOver(client, session)).structured.decision;
      const page = await openPage(web.url, id);
      const terminal = channel === 'terminal' && await project.decideUntilSecret(session, { option: 'approve' });
      await change(project, session);
      const before = project.status(session);
      if (terminal) {
        const { code, output } = await terminal.tell();
        assert.equal(code, 1, output);
        assert.match(output, /Something has changed since it was shown\. Nothing was decided\./);
        assert.ok(output.includes(`phasegate decide ${session}`), output);
      } else {
        const sent = await sendForm(page, { option: 'approve' });
        assert.equal(sent.status, 409);
        assert.match(sent.text, /Something has changed since you opened the page/);
      }
      assert.deepEqual(project.status(session), before);
      assert.equal(project.exit(session), 'person');
      // Looked at again, it can be decided.
      const again = await project.decide(session, { option: 'approve' });
      assert.equal(again.code, 0, again.output);
      assert.equal(project.exit(session), 'active');
    }
  });
}

for (const kind of kinds) {
  test(`decisions: stale if it was not shown: ${kind} answers about what was there before`, hangs, async (t) => {
    const project = charted(t);
    await project.enrol('ada');
    const client = await connect(t, kind, project.server, {
      elicit: () => {
        append(project, 'west\n');
        return { action: 'accept', content: { choice: 'approve' } };
      },
    });
    const session = await begun(client, 'client');
    const told = await handOver(client, session);
    assert.equal(told.isError, true, told.text);
    assert.equal(told.structured.error, 'stale_decision');
    assert.equal(project.exit(session), 'person');
    assert.equal((await handOver(client, session)).structured.waiting_for_person, true);
  });
}
