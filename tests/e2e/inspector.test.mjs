// The Inspector, the official tool for people who debug servers, over both transports and in each era.
// Its strict mode names what is wrong with the schema of a tool in the eyes of some client.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

import { Project } from './project.mjs';

const entry = path.join(process.env.PHASEGATE_E2E_MODULES, 'node_modules',
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const hangs = { timeout: 60_000 };

function atHand(t) {
  if (fs.existsSync(entry)) return true;
  const why = 'the Inspector is not installed; PHASEGATE_E2E=assistants installs it where it can be';
  if (process.env.PHASEGATE_E2E === 'require') throw new Error(why);
  t.skip(why);
  return false;
}

/** Runs the Inspector on a server: {code, result, complaints}. */
async function inspect(project, server, ...options) {
  const target = server.url ? ['--server-url', server.url, '--transport', 'http'] : [server.command, ...server.args];
  // Everything behind the method belongs to the Inspector, everything before it may be the server's.
  const args = [entry, '--cli', ...target, ...options, '--format', 'json', '--quiet'];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: project.root }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of Object.keys(texts)) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
  const [code] = await once(child, 'close');
  return { code, result: texts.stdout && JSON.parse(texts.stdout).result, complaints: texts.stderr };
}

describe('the Inspector', () => {
  for (const transport of ['stdio', 'HTTP']) {
    for (const era of ['legacy', 'auto', 'modern']) {
      test(`finds nothing to complain about in the tools, over ${transport}, ${era}`, hangs, async (t) => {
        if (!atHand(t)) return;
        const project = new Project(t);
        const server = transport === 'HTTP' ? await project.serve(t) : project.server;
        const list = await inspect(project, server, '--protocol-era', era, '--method', 'tools/list', '--strict');
        assert.equal(list.code, 0, list.complaints);
        assert.equal(list.complaints, '');
        assert.equal(list.result.tools.length, 10);
        const call = await inspect(project, server, '--protocol-era', era, '--method', 'tools/call',
          '--tool-name', 'start_workflow', '--tool-arg', 'workflow_type=lighthouse', 'target_file=tower');
        assert.equal(call.code, 0, call.complaints);
        assert.match(call.result.content[0].text, /feldspar/);
      });
    }
  }
});
