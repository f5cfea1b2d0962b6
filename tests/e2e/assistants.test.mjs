// A workflow through the assistants themselves: each real client is led by a stand-in of its model, is
// refused what it must not have, is killed in the middle, and is begun again in a home folder that
// knows nothing. What counts is what the model is sent.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';

import { Running, assistants, atHand } from './assistants.mjs';
import { ModelStandIn } from './model_stand_in.mjs';
import { Project, keys } from './project.mjs';

const hangs = { timeout: 120_000 };

/** One word of each text of the workflow `lighthouse`, by the phase to which the text belongs. */
const words = {
  1: ['basalt', 'granite', 'feldspar', 'gabbro', 'obsidian', 'andesite'],
  2: ['cormorant', 'guillemot', 'razorbill', 'kittiwake', 'fulmar', 'shearwater'],
  3: ['saffron', 'turmeric', 'cardamom', 'coriander', 'juniper'],
};

/** Fails if a model was sent a word of a phase after `reached`. */
function nothingLater(model, reached) {
  for (const [phase, its] of Object.entries(words)) {
    if (Number(phase) <= reached) continue;
    for (const word of its) {
      const leaks = model.sent.filter((text) => text.includes(word));
      assert.equal(leaks.length, 0, `phase ${reached}: the model was sent "${word}" of phase ${phase}`);
    }
  }
}

function includesAll(result, ...parts) {
  for (const part of parts) assert.ok(result.text.includes(part), `lacks "${part}":\n${result.text}`);
}

function passed(result, ...parts) {
  assert.notEqual(result.isError, true, result.text);
  includesAll(result, ...parts);
}

function refused(result, ...parts) {
  assert.notEqual(result.isError, false, result.text);
  includesAll(result, ...parts);
}

/** The first conversation: until phase 1 is completed, and then silence. */
function* beginning(model, notes) {
  passed(yield { tool: 'list_workflows' }, 'lighthouse');
  nothingLater(model(), 0);
  const started = yield { tool: 'start_workflow', args: { workflow_type: 'lighthouse', target_file: 'tower' } };
  passed(started, 'feldspar', 'obsidian');
  [notes.session] = started.text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  const session_id = notes.session;

  const violation = ['Cannot access Phase 2', 'Currently on Phase 1', 'Complete Phase 1 checkpoint first', 'feldspar'];
  refused(yield { tool: 'get_phase_content', args: { session_id, phase: '2' } }, ...violation);
  refused(yield { tool: 'get_task', args: { session_id, phase: '2', task_number: '1' } }, ...violation);
  refused(yield { tool: 'complete_phase', args: { session_id, phase: '3', evidence: { all_done: true } } },
    'Cannot access Phase 3', 'Currently on Phase 1');
  refused(yield { tool: 'complete_phase', args: { session_id, phase: '1', evidence: { all_done: true } } },
    'steps_of_obsidian');
  passed(yield { tool: 'get_task', args: { session_id, phase: '1', task_number: '1' } }, 'gabbro');
  nothingLater(model(), 1);
  passed(yield { tool: 'complete_phase', args: { session_id, phase: '1', evidence: keys[1] } },
    'razorbill', 'fulmar');
  nothingLater(model(), 2);
  yield ModelStandIn.hold;
}

/** The second one, which knows no session: finds it and goes on to the end. */
function* going_on(model, notes) {
  const open = yield { tool: 'list_sessions' };
  passed(open, 'lighthouse', notes.session);
  const session_id = notes.session;
  nothingLater(model(), 0);
  passed(yield { tool: 'get_current_phase', args: { session_id } }, 'razorbill', 'fulmar');
  refused(yield { tool: 'get_phase_content', args: { session_id, phase: '3' } },
    'Cannot access Phase 3', 'Currently on Phase 2');
  passed(yield { tool: 'get_task', args: { session_id, phase: '2', task_number: '1' } }, 'kittiwake');
  nothingLater(model(), 2);
  // Nobody sits in front of it: whether the assistant asks nobody or answers by itself, the session stays.
  includesAll(yield { tool: 'cancel_workflow', args: { session_id } }, `phasegate cancel ${session_id}`);
  passed(yield { tool: 'complete_phase', args: { session_id, phase: '2', evidence: keys[2] } },
    'cardamom', 'coriander');
  passed(yield { tool: 'complete_phase', args: { session_id, phase: '3', evidence: keys[3] } },
    'complete');
}

/** A model that is led by `script`, which may ask what it was sent. */
async function led(t, script, notes) {
  let model;
  model = await ModelStandIn.begin(t, script(() => model, notes));
  return model;
}

describe('a workflow through the assistants themselves', { concurrency: false }, () => {
  for (const assistant of assistants) {
    for (const transport of ['stdio', 'HTTP']) {
      const name = `${assistant.name} over ${transport}: no skip, no leak, and a fresh conversation goes on after SIGKILL`;
      test(name, hangs, async (t) => {
        if (!atHand(t, assistant)) return;
        const project = new Project(t);
        const { root, folder } = project;
        const server = transport === 'HTTP' ? { url: (await project.serve(t)).url } : project.server;
        const notes = {};

        const first = await led(t, beginning, notes);
        const killed = new Running(t, assistant, {
          home: path.join(root, 'home-1'), project: folder, server, model: first, prompt: 'Follow the workflow.',
        });
        await killed.until(first.held);
        const started = killed.processes();
        const ours = started.some(({ command }) => command.startsWith(project.server.command));
        assert.equal(ours, transport === 'stdio', JSON.stringify(started));
        await killed.kill9();

        const second = await led(t, going_on, notes);
        const running = new Running(t, assistant, {
          home: path.join(root, 'home-2'), project: folder, server, model: second, prompt: 'Go on with what was begun.',
        });
        await running.until(second.played);
        const end = await running.exited;
        assert.equal(end.code, 0, running.output);
        assert.equal(project.status(notes.session).status, 'completed');
      });
    }
  }
});
