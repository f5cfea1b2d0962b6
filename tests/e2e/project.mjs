// A project with the workflow `lighthouse`, and phasegate in front of it: as a process that a client
// starts, as a server over HTTP, and as a command.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { atEnd, phasegate, temporaryFolder } from './lib.mjs';

/** What opens the gate of each phase of `lighthouse`. */
export const keys = {
  1: { steps_of_obsidian: 91 },
  2: { panes_of_fulmar: ['north'] },
  3: { lamp_of_coriander: true },
};

export class Project {
  /** A new project, removed when the test ends. */
  constructor(t) {
    this.root = temporaryFolder(t);
    this.folder = path.join(this.root, 'project');
    const flows = path.join(this.root, 'flows');
    fs.mkdirSync(this.folder);
    const source = path.join(process.env.PHASEGATE_SOURCE_DIR, 'tests', 'fixtures', 'lighthouse');
    fs.cpSync(source, path.join(flows, 'lighthouse'), { recursive: true });
    this.options = ['--root', this.folder, '--state', path.join(this.root, 'state'), '--workflows', flows];
    this.server = phasegate('mcp', ...this.options);
  }

  /** `phasegate serve` on a free port until the test ends, which has to end in order: {url, pid}. */
  async serve(t, ...more) {
    const { url, child, exited, output } = await this.launch(t, ...more);
    atEnd(t, async () => {
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null], output());
    });
    return { url, pid: child.pid };
  }

  /** The same, killed when the test ends if it still runs: {url, child, exited, output}. */
  async launch(t, ...more) {
    const { command, args } = phasegate('serve', '--listen', '127.0.0.1:0', ...this.options, ...more);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(child, 'exit');
    let output = '';
    atEnd(t, () => child.kill('SIGKILL'));
    const url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          output += `${line}\n`;
          const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line);
          if (found) resolve(found[0]);
        });
      }
      exited.then(() => reject(new Error(`phasegate serve has ended:\n${output}`)));
    });
    return { url, child, exited, output: () => output };
  }

  /** How a session stands, as the command says it. */
  status(session) {
    const { command } = this.server;
    const { status, stdout, stderr } = spawnSync(command, ['status', session, '--json', ...this.options], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  }
}
