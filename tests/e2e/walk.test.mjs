// Real, unmodified workflows from the first phase to the end through the official clients, with a
// SIGKILL in every phase. Nothing here knows a workflow: names, evidence and the way on come from
// the program's answers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

import {
  clientKinds, connect, officialSchema, phasegate, readWire, realDocuments, serverMessages,
  temporaryFolder,
} from './lib.mjs';

const workflows = ['spec_creation_v1', 'standards_creation_v1', 'praxis_os_upgrade_v1'];
const pageBytesMax = 10 * 1024;

/** Lines that stand in the files of one phase and nowhere else, by the name of the phase's folder. */
function ownLines(folder) {
  const textOf = (directory) =>
    fs.readdirSync(directory, { withFileTypes: true }).map((entry) => {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) return textOf(file);
      return file.endsWith('.md') ? fs.readFileSync(file, 'utf8') : '';
    }).join('\n');
  const phases = path.join(folder, 'phases');
  const parts = new Map(fs.readdirSync(folder).filter((name) => name !== 'phases')
    .map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isDirectory())
    .map((directory) => [directory, textOf(directory)]));
  const names = fs.readdirSync(phases);
  for (const name of names) parts.set(name, textOf(path.join(phases, name)));
  const own = (name, line) => line.trim().length > 40 &&
    [...parts].every(([other, text]) => other === name || !text.includes(line));
  return new Map(names.map((name) => [name, parts.get(name).split('\n').filter((line) => own(name, line))]));
}

/** All there is of the open phase, page by page, and the tasks. */
async function readEverything(session, id, answer) {
  const texts = [];
  const read = async (tool, args, where) => {
    let cursor;
    do {
      const page = await session.call(tool, cursor ? { ...args, cursor } : args);
      assert.equal(page.isError, false, page.text);
      assert.ok(Buffer.byteLength(page.text) <= pageBytesMax, `${tool}: text of ${page.text.length}`);
      assert.ok(Buffer.byteLength(JSON.stringify(page.structured)) <= pageBytesMax, `${tool}: structured`);
      texts.push(page.text, JSON.stringify(page.structured));
      cursor = page.structured[where].next_cursor;
    } while (cursor);
  };
  await read('get_current_phase', { session_id: id }, 'phase_content');
  const phase = answer.current_phase;
  const current = await session.call('get_current_phase', { session_id: id });
  for (const task of current.structured.phase_content.tasks ?? []) {
    await read('get_task', { session_id: id, phase, task_number: task.task_number }, 'task');
  }
  return texts;
}

/** Evidence of the right names in which every value is wrong. */
const allFalse = (schema) => Object.fromEntries(Object.keys(schema.properties).map((name) => [name, false]));

function checkViolation(answer, wanted, current) {
  assert.equal(answer.isError, true, answer.text);
  const { structured } = answer;
  assert.equal(structured.error, 'phase_sequence_violation');
  assert.equal(structured.message, `Cannot access Phase ${wanted}`);
  assert.equal(structured.reason, `Currently on Phase ${current}`);
  assert.equal(structured.required_action, `Complete Phase ${current} checkpoint first`);
  assert.equal(structured.violation_type, 'attempted_skip');
  assert.equal(structured.phase_gating_enforced, true);
  assert.equal(structured.current_phase_content.phase, current);
  assert.equal(structured.progress.current, current);
  for (const part of [structured.message, structured.reason, structured.required_action]) {
    assert.ok(answer.text.includes(part), `the text lacks: ${part}`);
  }
}

for (const { kind, revision } of clientKinds) {
  for (const workflow of workflows) {
    describe(`${workflow} through ${kind}`, () => {
      test('gates at each phase, survives SIGKILL in each, and ends complete', async (t) => {
        const folder = realDocuments(t, `workflows/praxis-os/${workflow}`);
        if (!folder) return;
        const root = temporaryFolder(t);
        const server = phasegate('--root', root, '--state', path.join(root, '.state'),
          '--workflows', path.dirname(folder), 'mcp');
        const later = ownLines(folder);
        let session = await connect(t, kind, server);

        const listed = await session.call('list_workflows');
        assert.ok(listed.structured.workflows.some((entry) => entry.workflow_type === workflow && entry.startable));
        let answer = await session.call('start_workflow', { workflow_type: workflow, target_file: 'feature' });
        assert.equal(answer.isError, false, answer.text);
        const id = answer.structured.session_id;
        const total = answer.structured.total_phases;
        const seen = [listed.text, JSON.stringify(listed.structured), answer.text, JSON.stringify(answer.structured)];

        for (let index = 0; index < total; ++index) {
          const state = (await session.call('get_workflow_state', { session_id: id })).structured;
          const phase = state.current_phase;
          assert.equal(state.phase_index, index);
          seen.push(...(await readEverything(session, id, state)));
          later.delete(phase);

          // A later phase, in every way of asking.
          const next = String(Number(phase) + 1);
          for (const refused of [
            await session.call('get_phase_content', { session_id: id, phase: next }),
            await session.call('get_task', { session_id: id, phase: next, task_number: '1' }),
            await session.call('complete_phase', { session_id: id, phase: next, evidence: {} }),
          ]) {
            checkViolation(refused, next, phase);
            seen.push(refused.text, JSON.stringify(refused.structured));
          }

          // Wrong evidence and evidence in which everything is false.
          const current = (await session.call('get_current_phase', { session_id: id })).structured;
          const criteria = current.checkpoint_criteria;
          for (const evidence of [{}, { done: true, everything: 'fine' }, allFalse(criteria.evidence_schema)]) {
            const refused = await session.call('complete_phase', { session_id: id, phase, evidence });
            assert.equal(refused.isError, true, refused.text);
            assert.equal(refused.structured.checkpoint_passed, false);
            assert.equal(refused.structured.error, 'incomplete_checkpoint');
            for (const field of criteria.evidence_schema.required) {
              assert.ok(refused.structured.problems.some((problem) => problem.field === field), field);
              assert.ok(refused.text.includes(field), field);
            }
            seen.push(refused.text, JSON.stringify(refused.structured));
          }

          // Killed and started again: the session is still there.
          await session.kill9();
          session = await connect(t, kind, server);
          const open = await session.call('list_sessions');
          assert.ok(open.structured.sessions.some((entry) => entry.session_id === id && entry.current_phase === phase));

          const passed = await session.call('complete_phase', { session_id: id, phase, evidence: criteria.example });
          assert.equal(passed.isError, false, passed.text);
          assert.equal(passed.structured.checkpoint_passed, true);
          assert.equal(passed.structured.phase_completed, phase);
          const again = await session.call('complete_phase', { session_id: id, phase, evidence: criteria.example });
          assert.equal(again.structured.repeated, true);
          assert.equal(again.structured.checkpoint_passed, true);
          assert.equal(again.structured.phase_index, passed.structured.phase_index);
          assert.equal(again.structured.current_phase, passed.structured.current_phase);
          assert.equal(again.structured.accepted_at, passed.structured.accepted_at);

          // What was obtained until now holds no line of a phase that was not reached.
          assert.ok(index + 1 >= total || [...later.values()].flat().length > 0, 'nothing to compare with');
          for (const [name, lines] of later) {
            for (const line of lines) {
              assert.ok(!seen.some((text) => text.includes(line)), `phase ${name} leaked in phase ${phase}: ${line}`);
            }
          }
          seen.length = 0;
          answer = passed;
        }
        assert.equal(answer.structured.workflow_complete, true);
        assert.equal(answer.structured.status, 'completed');
        assert.equal(answer.structured.outcome, 'ok');
      });
    });
  }

  test(`every line of a walk through ${kind} is valid in ${revision}`, async (t) => {
    const schema = officialSchema(t, revision);
    const folder = realDocuments(t, 'workflows/praxis-os/spec_creation_v1');
    if (!schema || !folder) return;
    const root = temporaryFolder(t);
    const wire = path.join(root, 'wire');
    const session = await connect(t, kind, phasegate('--root', root, '--state', path.join(root, '.state'),
      '--workflows', path.dirname(folder)), { wire });
    await session.tools();
    await session.call('list_workflows');
    const started = await session.call('start_workflow', { workflow_type: 'spec_creation_v1' });
    const id = started.structured.session_id;
    await session.call('get_current_phase', { session_id: id });
    await session.call('get_task', { session_id: id, phase: '0', task_number: 0 });
    await session.call('get_task', { session_id: id, phase: '3', task_number: '1' });
    await session.call('complete_phase', { session_id: id, phase: '0', evidence: {} });
    await session.call('complete_phase', {
      session_id: id, phase: '0', evidence: started.structured.checkpoint_criteria.example,
    });
    await session.call('list_sessions', { status: 'all' });
    await session.close();
    const messages = serverMessages(readWire(wire));
    assert.ok(messages.length >= 10);
    for (const message of messages) schema.checkMessage(message);
  });
}

test('phases from a spec follow the listed ones, and the last of them completes the session', async (t) => {
  const folder = realDocuments(t, 'workflows/praxis-os/spec_execution_v1');
  if (!folder) return;
  const root = temporaryFolder(t);
  const spec = path.join(root, 'specs', 'boat');
  fs.mkdirSync(spec, { recursive: true });
  fs.writeFileSync(path.join(spec, 'tasks.md'),
    '## Phase 1: Hull\n\n- [ ] **Task 1.1**: Cut\n\n**Validation Gate:**\n- [ ] It floats\n');
  const session = await connect(t, 'sdk-1', phasegate('--root', root, '--state', path.join(root, '.state'),
    '--workflows', path.dirname(folder)));
  const started = await session.call('start_workflow', {
    workflow_type: 'spec_execution_v1', target_file: 'specs/boat', options: { spec_path: 'specs/boat' },
  });
  const id = started.structured.session_id;
  const passed = await session.call('complete_phase', {
    session_id: id, phase: '0', evidence: started.structured.checkpoint_criteria.example,
  });
  assert.equal(passed.structured.checkpoint_passed, true);
  assert.equal(passed.structured.workflow_complete, false);
  const hull = await session.call('get_current_phase', { session_id: id });
  const done = await session.call('complete_phase', {
    session_id: id, phase: '1', evidence: hull.structured.checkpoint_criteria.example,
  });
  assert.equal(done.structured.workflow_complete, true);
});
