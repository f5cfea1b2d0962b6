// What is measured on: a workflow of ordinary size, and stores with many runs or a long journal.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { McpServer } from './client.mjs';
import { HttpServer } from './http_client.mjs';

export const firstPhase = '1';
export const evidence = { summary: 'what was done in this phase', files_changed: ['src/a.cpp', 'src/b.cpp'] };
const phases = 5;
const textBytes = 2000;

const paragraph = 'Read what is there before you change it, write down what you have found, and keep to the order of the list below. ';

/** A workflow folder of five phases with two kilobytes of text and two tasks each. */
export function writeWorkflow(folder) {
  const numbers = Array.from({ length: phases }, (_, index) => index + 1);
  const write = (name, text) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  write('metadata.json', JSON.stringify({
    workflow_type: 'bench', version: '1.0.0', name: 'Bench', description: 'Something to measure on', total_phases: phases,
    phases: numbers.map((number) => ({
      phase_number: number, phase_name: `Part ${number}`, purpose: `Do part ${number}`,
      tasks: [1, 2].map((task) => ({ task_number: task, name: `step-${task}`, file: `task-${task}-step.md` })),
    })),
  }));
  for (const number of numbers) {
    const text = paragraph.repeat(Math.ceil(textBytes / paragraph.length));
    write(`phases/${number}/phase.md`, `# Phase ${number}: Part ${number}\n\n${text}\n`);
    for (const task of [1, 2]) write(`phases/${number}/task-${task}-step.md`, `# Task ${task}\n\n${text}\n`);
    write(`phases/${number}/gate-definition.yaml`, [
      'checkpoint:', '  strict: true', 'evidence_schema:',
      '  summary:', '    type: string', '    description: "What was done"',
      '  files_changed:', '    type: list', '    validator: min_length_1', '    description: "Files that were changed"', '',
    ].join('\n'));
  }
}

/** A folder with the workflow and any number of projects and stores. */
export class Material {
  #stores = 0;

  constructor(programs, folder) {
    this.programs = programs;
    this.folder = folder;
    this.flows = path.join(folder, 'flows');
    this.project = path.join(folder, 'project');
    fs.mkdirSync(this.project);
    writeWorkflow(path.join(this.flows, 'bench'));
  }

  serve(store) {
    return McpServer.start([this.programs.phasegate, 'mcp', '--root', this.project, '--state', store, '--workflows', this.flows]);
  }

  echo() {
    return McpServer.start([this.programs.echo]);
  }

  /** The same over HTTP, without a limit on how often one client may ask. */
  serveHttp(store) {
    const options = ['--listen', '127.0.0.1:0', '--requests-per-second', '0'];
    return HttpServer.start(
      [this.programs.phasegate, 'serve', ...options, '--root', this.project, '--state', store, '--workflows', this.flows],
      /http:\/\/127\.0\.0\.1:(\d+)\//);
  }

  echoHttp() {
    return HttpServer.start([this.programs.echo, '--http'], /^listening on 127\.0\.0\.1:(\d+)$/);
  }

  emptyStore() {
    return path.join(this.folder, `store-${++this.#stores}`);
  }

  copy(store) {
    const copy = this.emptyStore();
    fs.cpSync(store, copy, { recursive: true });
    return copy;
  }

  /** A store with `runs` runs in their first phase, and one before them whose first phase is accepted. */
  async storeWith(runs) {
    const store = this.emptyStore();
    const server = await this.serve(store);
    const start = async (target) => (await server.call('start_workflow', { workflow_type: 'bench', target_file: target })).result;
    const { session_id } = (await start('first')).structuredContent;
    await server.call('complete_phase', { session_id, phase: firstPhase, evidence });
    await start('model');
    await server.close();
    this.grow('runs', store, runs + 1);
    return store;
  }

  /** `what` is runs or journal. */
  grow(what, store, count) {
    execFileSync(this.programs.store, [what, path.join(store, 'state.db'), String(count)]);
  }
}

/** The ids of all open runs that are in their first phase, at most `count`. */
export async function firstPhaseRuns(server, count) {
  const ids = [];
  for (let cursor; ids.length < count;) {
    const { result } = await server.call('list_sessions', { limit: 50, ...(cursor ? { cursor } : {}) });
    const page = result.structuredContent;
    for (const run of page.sessions) if (run.current_phase === firstPhase) ids.push(run.session_id);
    cursor = page.next_cursor;
    if (!cursor) break;
  }
  return ids.slice(0, count);
}
