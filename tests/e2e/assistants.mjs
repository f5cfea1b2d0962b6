// The assistants that people use, each started without a screen, without a model and without a way out
// of this machine: its model is a stand-in, its home folder is new, its only tools are phasegate's.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { atEnd } from './lib.mjs';

const modules = path.join(process.env.PHASEGATE_E2E_MODULES, 'node_modules');
const installed = (...parts) => path.join(modules, ...parts);

/**
 * Each assistant: what has to be installed, and how it is launched in the folder `home` on `prompt`
 * with the server, {command, args} or {url}, and the model at `url`. Only what is said here is in its
 * environment.
 */
export const assistants = [
  {
    name: 'Claude Code',
    entry: installed('@anthropic-ai/claude-code/bin/claude.exe'),
    // What its installation script does; scripts do not run when packages are installed here.
    prepare: () => spawnSync(process.execPath, [installed('@anthropic-ai/claude-code/install.cjs')]),
    launch({ home, server, url, prompt }) {
      const phasegate = server.url ? { type: 'http', url: server.url } : server;
      const servers = write(home, 'servers.json', JSON.stringify({ mcpServers: { phasegate } }));
      return {
        command: this.entry,
        args: ['-p', prompt, '--mcp-config', servers, '--strict-mcp-config', '--allowedTools', 'mcp__phasegate',
          '--model', 'claude-sonnet-4-5'],
        env: {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          DISABLE_TELEMETRY: '1',
          DISABLE_ERROR_REPORTING: '1',
        },
      };
    },
  },
  {
    name: 'Codex',
    entry: installed('@openai/codex/bin/codex.js'),
    needs: installed(`@openai/codex-${process.platform}-${process.arch}`),
    launch({ home, server, url, prompt }) {
      write(home, 'codex/config.toml', `
        model = "gpt-5"
        model_provider = "stand_in"
        check_for_update_on_startup = false
        [analytics]
        enabled = false
        [model_providers.stand_in]
        name = "stand-in"
        base_url = "${url}/v1"
        wire_api = "responses"
        env_key = "STAND_IN_KEY"
        [mcp_servers.phasegate]
        ${Object.entries(server).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join('\n        ')}
      `);
      return {
        command: process.execPath,
        args: [this.entry, 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
        env: { CODEX_HOME: path.join(home, 'codex'), STAND_IN_KEY: 'none' },
      };
    },
  },
  {
    name: 'Gemini CLI',
    entry: installed('@google/gemini-cli/bundle/gemini.js'),
    launch({ home, server, url, prompt }) {
      write(home, '.gemini/settings.json', JSON.stringify({
        mcpServers: { phasegate: { ...(server.url ? { httpUrl: server.url } : server), trust: true } },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }));
      return {
        command: process.execPath,
        args: [this.entry, '--prompt', prompt, '--model', 'gemini-2.5-flash', '--approval-mode', 'yolo'],
        env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_CLI_NO_RELAUNCH: 'true' },
      };
    },
  },
  {
    name: 'opencode',
    // The program by itself: the package around it, opencode-ai, only looks for the right one.
    entry: installed(`opencode-${process.platform}-${process.arch}/bin/opencode`),
    launch({ home, server, url, prompt }) {
      const phasegate = server.url
        ? { type: 'remote', url: server.url, oauth: false }
        : { type: 'local', command: [server.command, ...server.args] };
      const model = 'anthropic/claude-sonnet-4-5';
      const config = write(home, 'opencode.json', JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model,
        small_model: model,
        enabled_providers: ['anthropic'],
        provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'none' } } },
        mcp: { phasegate: { ...phasegate, enabled: true } },
      }));
      return {
        command: this.entry,
        args: ['run', prompt],
        env: { OPENCODE_CONFIG: config, OPENCODE_DISABLE_MODELS_FETCH: '1' },
      };
    },
  },
];

/** Whether the assistant can be run; otherwise the test is skipped, or fails where all must run. */
export function atHand(t, assistant) {
  const there = [assistant.entry, assistant.needs].every((file) => !file || fs.existsSync(file));
  if (there) assistant.prepare?.();
  const runs = there && version(assistant);
  if (runs) return true;
  const why = `${assistant.name} is not installed; PHASEGATE_E2E=assistants installs it where it can be`;
  if (process.env.PHASEGATE_E2E === 'require') throw new Error(why);
  t.skip(why);
  return false;
}

function version({ entry }) {
  const [command, ...before] = entry.endsWith('js') ? [process.execPath, entry] : [entry];
  return spawnSync(command, [...before, '--version'], { encoding: 'utf8', env: { PATH: process.env.PATH } }).status === 0;
}

function write(folder, name, text) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** A running assistant. It is killed when the test ends. */
export class Running {
  output = '';

  constructor(t, assistant, { home, project, server, model, prompt }) {
    fs.mkdirSync(home, { recursive: true });
    const { command, args, env } = assistant.launch({ home, server, url: model.url, prompt });
    this.child = spawn(command, args, {
      cwd: project,
      // Codex asks for plugins and its account whatever its settings say. What wants to leave the machine
      // meets the stand-in as its proxy, which lets nobody through.
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, HTTPS_PROXY: model.url, NO_PROXY: '127.0.0.1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    }
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    atEnd(t, () => this.kill9());
  }

  /** The process and all that it has started: [{pid, command}]. */
  processes() {
    const found = [{ pid: this.child.pid, command: '' }];
    // What a process has started is appended and looked at in its turn.
    for (const { pid } of found) {
      for (const child of childrenOf(pid)) found.push({ pid: child, command: commandOf(child) });
    }
    return found;
  }

  /** Ends the assistant and its server in the middle of whatever they do. */
  async kill9() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
    await this.exited;
  }

  /** Waits for `promise`; fails with what the assistant has said if that ends first. */
  async until(promise) {
    const ended = this.exited.then(({ code, signal }) => {
      throw new Error(`the assistant has ended (${code ?? signal}):\n${this.output}`);
    });
    return Promise.race([promise, ended]);
  }
}

function childrenOf(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
  } catch {
    return [];  // it has just ended
  }
}

function commandOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
