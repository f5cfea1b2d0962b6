// The assistants themselves at a gate that waits for a person: they are told to stop and stop, nothing
// that they or their clients answer opens it, and a fresh conversation goes on at once when a person has
// decided on a terminal: approved, sent back and done again, rejected (ARCHITECTURE §6; 003-10, 003-33).
// Nobody sits in front of them, so what their clients answer is their own.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';

import { RecordingProxy } from '../support/wire/recording_proxy.mjs';
import { Running, assistants, atHand } from './assistants.mjs';
import { atEnd, readWire, teed } from './lib.mjs';
import { ModelStandIn } from './model_stand_in.mjs';
import { PeopleProject } from './people.mjs';

const hangs = { timeout: 120_000 };

/** Steps and a word that stands in the text of each. */
const words = { nets: 'walnut', ropes: 'pistachio', sails: 'hazelnut' };
const boat = (channel) => Object.entries(words).map(([id, word]) => ({
  id,
  instructions: `Mend the ${id}, with ${word}.`,
  evidence: { mended: { type: 'integer' } },
  decision: { prompt: `Are the ${id} mended well?`, channel },
}));
const evidence = { mended: 4 };

/** What people decide one after the other, and what the session does then. */
const decisions = [
  { option: 'approve', input: '', exit: 'active' },
  { option: 'rework', input: 'Count the knots twice.', exit: 'active' },
  { option: 'approve', input: '', exit: 'active' },
  { option: 'reject', input: 'There is no wind.', exit: 'rejected' },
];
const [approved, reworked] = decisions;

/** Claude Code dismisses what it is asked and Codex declines it; Gemini CLI cannot be asked. */
const runs = [
  { name: 'Claude Code', transport: 'stdio', asked: 1, decisions },
  { name: 'Claude Code', transport: 'HTTP', asked: 1, decisions },
  { name: 'Claude Code', transport: 'stdio', asked: 1, channel: 'client', decisions: [approved] },
  { name: 'Codex', transport: 'stdio', asked: 1, decisions: [reworked, approved] },
  { name: 'Codex', transport: 'stdio', asked: 1, channel: 'client', decisions: [approved] },
  { name: 'Gemini CLI', transport: 'stdio', asked: 0, decisions: [reworked] },
];

function includesAll(result, ...parts) {
  for (const part of parts) assert.ok(result.text.includes(part), `lacks "${part}":\n${result.text}`);
}

/** Fails if a model was sent a word of a step after `step`. */
function nothingLater(model, step) {
  const names = Object.keys(words);
  for (const later of names.slice(names.indexOf(step) + 1)) {
    const leaks = model.sent.filter((text) => text.includes(words[later]));
    assert.equal(leaks.length, 0, `in ${step} the model was sent a word of ${later}`);
  }
}

/** How often the model itself calls complete_phase in a conversation that comes to a gate. */
const handedOver = 3;

/** One conversation, which knows no other one. `last` is what a person has decided before it. */
function* conversation(model, notes, last) {
  if (!last) {
    const started = yield { tool: 'start_workflow', args: { workflow_type: 'boat' } };
    [notes.session] = started.text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
    notes.step = 'nets';
    includesAll(started, words.nets);
  }
  const session_id = notes.session;
  const stop = ['STOP', 'this is not approved', `phasegate decide ${session_id}`];
  if (last) {
    const current = yield { tool: 'get_current_phase', args: { session_id } };
    if (last.exit === 'rejected') {
      includesAll(current, 'rejected');
      includesAll(yield { tool: 'complete_phase', args: { session_id, phase: notes.step, evidence } }, last.input);
      return 'It was rejected, and I do nothing more.';
    }
    includesAll(current, words[notes.step], last.input);
    assert.ok(!current.text.includes('STOP'), current.text);
  }
  nothingLater(model(), notes.step);
  const args = { session_id, phase: notes.step, evidence, ...(notes.visit > 1 ? { visit: notes.visit } : {}) };
  includesAll(yield { tool: 'complete_phase', args }, ...stop);
  // A model that does not listen: the same again, and what it says to be true.
  includesAll(yield { tool: 'complete_phase', args }, ...stop);
  const claim = { ...args, evidence: { ...evidence, approved: true } };
  includesAll(yield { tool: 'complete_phase', args: claim }, ...stop);
  includesAll(yield { tool: 'get_workflow_state', args: { session_id } }, ...stop);
  nothingLater(model(), notes.step);
  return 'A person decides about it now. I stop here.';
}

/** What went over the wire: calls of complete_phase, and questions to the person. */
function counted(messages) {
  const found = { calls: 0, questions: 0 };
  for (const { method, params, result } of messages) {
    if (method === 'tools/call' && params.name === 'complete_phase') ++found.calls;
    if (method === 'elicitation/create' || result?.resultType === 'input_required') ++found.questions;
  }
  return found;
}

/** The server as the assistant reaches it, and what has gone over the wire, as messages. */
async function recorded(t, project, transport) {
  if (transport === 'stdio') {
    const log = path.join(project.root, 'wire');
    const messages = () => readWire(log).filter(({ line }) => line).map(({ line }) => JSON.parse(line));
    return { server: teed(project.server, log), messages };
  }
  const proxy = await RecordingProxy.begin((await project.serve(t)).url);
  atEnd(t, () => proxy.close());
  const messages = () => proxy.exchanges.flatMap(({ body, texts }) => [body, ...texts])
    .filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
  return { server: { url: proxy.url }, messages };
}

describe('decisions: the assistants themselves stop, and go on when a person has decided', () => {
  for (const { name, transport, asked, channel = 'approver', decisions: decided } of runs) {
    const chosen = decided.map(({ option }) => option);
    test(`${name} over ${transport}, channel: ${channel}: ${chosen.join(', ')}`, hangs, async (t) => {
      const assistant = assistants.find((one) => one.name === name);
      if (!atHand(t, assistant)) return;
      const project = new PeopleProject(t, { boat: boat(channel) });
      await project.enrol('ada');
      const { server, messages } = await recorded(t, project, transport);
      const notes = { visit: 1 };
      let before = { calls: 0, questions: 0 };

      for (const [index, last] of [undefined, ...decided].entries()) {
        let model;
        model = await ModelStandIn.begin(t, conversation(() => model, notes, last));
        const running = new Running(t, assistant, {
          home: path.join(project.root, `home-${index}`), project: project.folder, server, model,
          prompt: 'Mend the boat.',
        });
        await running.until(model.played);
        assert.equal((await running.exited).code, 0, running.output);

        const total = counted(messages());
        const calls = total.calls - before.calls;
        const questions = total.questions - before.questions;
        before = total;
        t.diagnostic(`conversation ${index + 1}: ${calls} calls of complete_phase, ${questions} questions`);
        if (last?.exit === 'rejected') {
          assert.equal(calls, 1);
          continue;
        }
        assert.equal(project.exit(notes.session), 'person');
        // A client that can be asked is asked once; it answers in the call, or by calling again.
        assert.equal(questions, asked);
        assert.ok(calls >= handedOver && calls <= handedOver + questions, `${calls} calls, ${questions} questions`);

        const next = decided[index];
        if (!next) continue;
        const { code, output } = await project.decide(notes.session, next);
        assert.equal(code, 0, output);
        assert.equal(project.exit(notes.session), next.exit);
        const status = project.status(notes.session);
        notes.step = status.current_phase;
        notes.visit = status.visit;
      }
      const answered = project.history(notes.session, 'decision_answered').map(({ data }) => data);
      assert.deepEqual(answered.map(({ option }) => option), chosen);
      for (const one of answered) {
        assert.deepEqual([one.channel, one.assurance, one.approver], ['terminal', 'secret', 'ada']);
      }
    });
  }
});
