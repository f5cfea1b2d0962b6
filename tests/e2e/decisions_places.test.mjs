// A decision as first, middle and last step, about work and as a step of its own; every option of it
// through every channel (ARCHITECTURE §6; 003-17, 003-33, 003-58). Several approvers, at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from './lib.mjs';
import { PeopleProject, decideOnPage, openPage, sendForm } from './people.mjs';

const hangs = { timeout: 120_000 };

// --- Every place, option and channel ---------------------------------------------------------------

const evidence = { hulls: 3 };
const work = (id) => ({ id, instructions: `Work on ${id}.`, evidence: { hulls: { type: 'integer' } } });

/** Steps before and after the decision `ask`, by its place. */
const places = { first: [[], ['between', 'end']], middle: [['work'], ['between', 'end']], last: [['work'], []] };

const forms = {
  'about work': (options, channel) => ({ ...work('ask'), decision: { prompt: 'Is it afloat?', options, channel } }),
  'of its own': (options, channel) => ({ id: 'ask', kind: 'decision', prompt: 'Shall it sail?', options, channel }),
};

/** What can be chosen, at every place that has the step it leads to. */
const choices = {
  go: { option: { label: 'Go on', input: 'none' }, effect: 'proceed' },
  jump: { option: { label: 'Jump', goto: 'end' }, effect: 'goto, ahead' },
  back: { option: { label: 'Back', goto: 'work', input: 'required' }, effect: 'goto, back', input: 'Caulk it.' },
  again: { option: { label: 'Again', goto: 'ask' }, effect: 'goto, the same', input: 'Look once more.' },
  done: { option: { label: 'Done', outcome: 'completed' }, effect: 'completed' },
  stop: { option: { label: 'Stop', outcome: 'rejected' }, effect: 'rejected', input: 'It leaks.' },
  off: { option: { label: 'Off', outcome: 'cancelled' }, effect: 'cancelled' },
};

/** Where a choice leads: what `status --exit-code` says then, and in which step the session is. */
function leadsTo(choice, place, form, channel) {
  const completed = channel === 'client' ? 'partial' : 'completed';
  switch (choice) {
    case 'go': return place === 'last' ? [completed, 'ask'] : ['active', 'between'];
    case 'jump': return ['active', 'end'];
    case 'back': return ['active', 'work'];
    case 'again': return [form === 'of its own' ? 'person' : 'active', 'ask'];
    case 'done': return [completed, 'ask'];
    case 'stop': return ['rejected', 'ask'];
    default: return ['cancelled', 'ask'];
  }
}

function offered(place) {
  const [before, after] = places[place];
  return Object.keys(choices).filter((name) => {
    const to = choices[name].option.goto;
    return !to || to === 'ask' || before.includes(to) || after.includes(to);
  });
}

/** A workflow whose `ask` is in this place and form, with all that can be chosen there. */
function flow(place, form, channel) {
  const [before, after] = places[place];
  const options = offered(place).map((id) => ({ id, ...choices[id].option }));
  return [...before.map(work), forms[form](options, channel), ...after.map(work)];
}

/** How each channel says what the person chooses. */
const channels = {
  terminal: async ({ project, session, option, input }) => {
    const { code, output } = await project.decide(session, { option, input });
    assert.equal(code, 0, output);
  },
  web: async ({ project, web, session, option, input }) => {
    const { id } = project.status(session).decision;
    const page = await decideOnPage(web.url, id, { option, input });
    assert.equal(page.status, 200, page.text);
  },
  // By the call that the client has been asked in.
  client: async () => {},
};

for (const channel of Object.keys(channels)) {
  // Rows of a client share what it answers, and come one after the other.
  const concurrency = channel === 'client' ? 1 : 4;
  test(`decisions: every option at every place, through the ${channel}`, { ...hangs, concurrency }, async (t) => {
    const taken = channel === 'client' ? 'client' : 'approver';
    const rows = Object.keys(places).flatMap((place) => Object.keys(forms).flatMap((form) =>
      offered(place).map((choice) => ({ place, form, choice, name: `${place}-${form.replaceAll(' ', '-')}` }))));
    const flows = Object.fromEntries(rows.map(({ name, place, form }) => [name, flow(place, form, taken)]));
    const project = new PeopleProject(t, flows);
    await project.enrol('ada');
    const web = channel === 'web' ? await project.serve(t) : undefined;
    let answers = null;
    const elicit = () => answers ?? { action: 'cancel' };
    const client = await connect(t, 'client-2-auto', project.server, { elicit });

    await Promise.all(rows.map(({ place, form, choice, name }) => {
      const { effect, input = '' } = choices[choice];
      return t.test(`${place}, ${form}: ${effect}`, async () => {
        const [exit, step] = leadsTo(choice, place, form, channel);
        // By the call that comes to the decision; a step of a person's own may be the first.
        answers = channel === 'client' ? { action: 'accept', content: { choice, input } } : null;
        const started = await client.call('start_workflow', { workflow_type: name, options: { new: true } });
        const session = started.structured.session_id;
        assert.ok(session, started.text);
        const complete = (phase) => client.call('complete_phase', { session_id: session, phase, evidence });
        const [before] = places[place];
        for (const phase of before) {
          const passed = await complete(phase);
          if (passed.structured.current_phase === 'ask' || choice !== 'back') {
            assert.equal(passed.structured.checkpoint_passed, true, passed.text);
          }
        }
        if (form === 'about work') await complete('ask');
        if (channel !== 'client') assert.equal(project.exit(session), 'person');
        await channels[channel]({ project, web, session, option: choice, input });

        assert.equal(project.exit(session), exit);
        const status = project.status(session);
        assert.equal(status.current_phase, step);
        const [{ data }, ...more] = project.history(session, 'decision_answered');
        assert.equal(more.length, 0);
        const secret = channel === 'client' ? [undefined, 'unauthenticated'] : ['ada', 'secret'];
        assert.deepEqual([data.option, data.input, data.channel, data.approver, data.assurance],
          [choice, input, channel, ...secret]);
        assert.match(data.shown_digest, /^[0-9a-f]{64}$/);
        // The assistant is told with its next call, and goes on where the person has sent it.
        const told = await client.call('get_current_phase', { session_id: session });
        if (exit === 'active') assert.ok(told.text.includes(`Work on ${step}.`), told.text);
        if (effect.startsWith('goto, ') && effect !== 'goto, ahead') {
          assert.ok(told.text.includes(input), told.text);
          assert.equal(status.visit, 2);
        }
        if (['rejected', 'cancelled'].includes(exit)) assert.match(status.end_reason, new RegExp(`by .*${input}`));
      });
    }));
  });
}

// --- Several approvers -----------------------------------------------------------------------------

const quay = (approvers) => [
  { ...work('quay'), decision: { prompt: 'Is the quay safe?', approvers } },
  work('harbour'),
];

/** A session that waits for what approvers say about the quay. */
async function begunAtQuay(client) {
  const started = await client.call('start_workflow', { workflow_type: 'quay', options: { new: true } });
  const { session_id } = started.structured;
  const args = { session_id, phase: 'quay', evidence };
  const waiting = await client.call('complete_phase', args);
  return { session_id, args, id: waiting.structured.decision.decision_id };
}

test('decisions: two of three with a role, over HTTP, at the same moment', hangs, async (t) => {
  const project = new PeopleProject(t, { quay: quay({ role: 'qa', count: 2 }) });
  await project.enrol('ada', 'bob', 'eve');
  const web = await project.serve(t);
  const client = await connect(t, 'sdk-1', web);
  for (let round = 1; round <= 4; ++round) {
    await t.test(`round ${round}`, async () => {
      const { session_id, id, args } = await begunAtQuay(client);

      const without = await decideOnPage(web.url, id, { as: 'ada', option: 'approve' });
      assert.equal(without.status, 403, 'whoever lacks the role decides nothing');
      const people = ['bob', 'eve'];
      const pages = await Promise.all(people.map(() => openPage(web.url, id)));
      const sent = await Promise.all(people.map((as, i) => sendForm(pages[i], { as, option: 'approve' })));
      // The later one has not seen what the earlier one decided, and has to look again.
      assert.deepEqual(sent.map(({ status }) => status).sort(), [200, 409], sent.map(({ text }) => text).join());
      assert.equal(project.exit(session_id), 'person');
      assert.equal(project.history(session_id, 'decision_answered').length, 1);
      const waiting = await client.call('complete_phase', args);
      assert.match(waiting.text, /1 of 2 have decided/);
      assert.match(waiting.text, /STOP/);

      const [first, second] = sent[0].status === 200 ? people : people.toReversed();
      const twice = await decideOnPage(web.url, id, { as: first, option: 'approve' });
      assert.equal(twice.status, 403, 'nobody counts twice');
      const done = round % 2 === 0
        ? await project.decide(session_id, { as: second, option: 'approve' })
        : await decideOnPage(web.url, id, { as: second, option: 'approve' });
      assert.ok(done.status === 200 || done.code === 0, done.text ?? done.output);
      assert.equal(project.exit(session_id), 'active');
      const passed = await client.call('complete_phase', args);
      assert.equal(passed.structured.checkpoint_passed, true, passed.text);
      assert.deepEqual(passed.structured.decided_by, [`approver:${first}`, `approver:${second}`]);
    });
  }
});

test('decisions: of two approvers who say different things at the same moment one is heard', hangs, async (t) => {
  const project = new PeopleProject(t, { quay: quay({}) });
  await project.enrol('ada', 'bob');
  const web = await project.serve(t);
  const client = await connect(t, 'sdk-1', web);
  for (const where of ['page and page', 'terminal and page', 'terminal and terminal']) {
    await t.test(where, async () => {
      const { session_id, id } = await begunAtQuay(client);
      const [one, other] = where.split(' and ');
      const ready = async (channel, choice) => {
        if (channel === 'page') {
          const page = await openPage(web.url, id);
          return async () => (await sendForm(page, choice)).status === 200;
        }
        const terminal = await project.decideUntilSecret(session_id, choice);
        return async () => (await terminal.tell()).code === 0;
      };
      const both = [
        await ready(one, { as: 'ada', option: 'approve' }),
        await ready(other, { as: 'bob', option: 'reject' }),
      ];
      const heard = await Promise.all(both.map((say) => say()));
      assert.equal(heard.filter(Boolean).length, 1, `${heard}`);
      const answered = project.history(session_id, 'decision_answered');
      assert.deepEqual(answered.map(({ data }) => data.option), [heard[0] ? 'approve' : 'reject']);
      assert.equal(project.exit(session_id), heard[0] ? 'active' : 'rejected');
    });
  }
});
