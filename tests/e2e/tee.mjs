// Stands between a client and a server and records every line of both:
//   tee.mjs LOG COMMAND [ARGUMENTS…]
// Signals are passed on. One JSON object per line of the log, see readWire in lib.mjs.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const record = (entry) => fs.appendFileSync(log, `${JSON.stringify({ pid: child.pid, ...entry })}\n`);

function relay(input, output, from) {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (data) => {
    output.write(data);
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) record({ from, line });
  });
  input.on('end', () => {
    if (rest) record({ from, line: rest });
  });
}

relay(process.stdin, child.stdin, 'client');
relay(child.stdout, process.stdout, 'server');
process.stdin.on('end', () => child.stdin.end());
child.stdin.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => {
  record({ from: 'end', code, signal });
  process.exit(code ?? 1);
});
