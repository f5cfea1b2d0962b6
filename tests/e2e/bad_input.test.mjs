// What must never stop the program, lose anything or open a gate: hostile messages, arguments,
// workflow folders and state files, at the built binary over a real pipe.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

import { RawClient, phasegate, temporaryFolder } from './lib.mjs';

const bakery = path.join(process.env.PHASEGATE_SOURCE_DIR, 'tests', 'fixtures', 'bakery');

/** A project with the workflow `bakery`, and whatever `prepare` puts beside it. */
function project(t, prepare = () => {}) {
  const root = temporaryFolder(t);
  const workflows = path.join(root, '.phasegate', 'workflows');
  fs.mkdirSync(workflows, { recursive: true });
  fs.cpSync(bakery, path.join(workflows, 'bakery'), { recursive: true });
  prepare(workflows, root);
  const state = path.join(root, 'state');
  return { root, workflows, state, server: phasegate('--root', root, '--state', state, 'mcp') };
}

async function started(t, server) {
  const client = new RawClient(t, server);
  await client.initialize('2025-11-25');
  client.tool = async (name, args) => (await client.request('tools/call', { name, arguments: args })).result;
  return client;
}

/** A refusal that says what was wrong and what to do. */
function refusal(result, code) {
  assert.equal(result.isError, true, JSON.stringify(result));
  if (code) assert.equal(result.structuredContent.error, code, result.content[0].text);
  assert.ok(result.structuredContent.message);
  assert.ok(result.structuredContent.required_action, result.content[0].text);
  // No path but those in a command that a person can paste, and nothing of how the program is made.
  assert.doesNotMatch(result.content[0].text.replace(/`phasegate [^`]*`/g, ''), /\/tmp\/|\.cpp|what\(\)/);
  return result;
}

test('messages: garbage, depth, size and wrong types are answered, and the session goes on', async (t) => {
  const client = await started(t, project(t).server);
  const begun = await client.tool('start_workflow', { workflow_type: 'bakery' });
  const id = begun.structuredContent.session_id;

  assert.equal((await client.exchange('{"jsonrpc": oops')).error.code, -32700);
  assert.equal((await client.exchange('\u0000\u0001')).error.code, -32700);
  assert.equal((await client.exchange('[]')).error.code, -32600);
  const deep = `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"complete_phase","arguments":${'['.repeat(200000)}${']'.repeat(200000)}}}`;
  assert.deepEqual([(await client.exchange(deep)).id, 77], [77, 77]);
  assert.equal((await client.exchange('['.repeat(400000))).error.code, -32700);
  assert.equal((await client.request('no/such/method', {})).error.code, -32601);
  assert.equal((await client.request('tools/call', { name: 'complete_fase' })).error.code, -32602);
  assert.equal((await client.request('tools/call', { name: 'complete_phase', arguments: [] })).error.code, -32602);

  const submit = (evidence, phase = '1') => client.tool('complete_phase', { session_id: id, phase, evidence });
  refusal(await submit('done'), 'invalid_argument');
  refusal(await submit(null), 'invalid_argument');
  refusal(await submit([]), 'invalid_argument');
  refusal(await submit({ dough_rested: 'x'.repeat(10 << 20) }), 'too_large');
  let nested = 1;
  for (let i = 0; i < 40; ++i) nested = { nested };
  refusal(await submit(nested), 'too_large');
  const many = Object.fromEntries(Array.from({ length: 60000 }, (_, i) => [`k${i}`, i]));
  const crowded = refusal(await submit(many), 'incomplete_checkpoint');
  assert.ok(crowded.content[0].text.length < 10240);
  for (const phase of ['2..5', '2.', '-1', '', ' ', 'Phase 1', '../1', '1'.repeat(100), '١']) {
    refusal(await submit({}, phase), 'invalid_argument');
  }
  for (const phase of [2.5, -1, 1e30, true, null, {}, []]) refusal(await submit({}, phase), 'invalid_argument');
  for (const phase of ['2', '3', '99', '0B', '23.1.2']) refusal(await submit({}, phase), 'phase_sequence_violation');
  for (const session of ['', 'x', '../../etc/passwd', `${id}x`, id.toUpperCase(), 'é', '\u202e']) {
    refusal(await client.tool('get_workflow_state', { session_id: session }), 'invalid_argument');
  }
  refusal(await client.tool('get_workflow_state', { session_id: '00000000-0000-4000-8000-000000000000' }), 'unknown_session');

  const state = await client.tool('get_workflow_state', { session_id: id });
  assert.equal(state.structuredContent.current_phase, '1');
  assert.deepEqual(await client.close(), { code: 0, signal: null, rest: [] });
});

test('workflow names and targets cannot lead out of their places', async (t) => {
  const { server } = project(t);
  const client = await started(t, server);
  for (const name of ['../bakery', '../../etc', '/etc', 'bakery/../bakery', '.', '..', '', 'a\u0000b', 'bakery\n']) {
    refusal(await client.tool('start_workflow', { workflow_type: name }));
  }
  const near = refusal(await client.tool('start_workflow', { workflow_type: 'bakkery' }), 'unknown_workflow');
  assert.match(near.content[0].text, /bakery/);
  for (const target of ['../x', '/etc/passwd', '~/x', 'a\u0000b', 'x'.repeat(5000), 'file:///etc/passwd']) {
    refusal(await client.tool('start_workflow', { workflow_type: 'bakery', target_file: target }));
  }
  refusal(await client.tool('start_workflow', { workflow_type: 'bakery', options: { x: 'y'.repeat(100000) } }), 'too_large');
  const none = await client.tool('list_sessions', {});
  assert.equal(none.structuredContent.count, 0);
});

test('closed standard input, output and error end the server at once', async (t) => {
  const { server } = project(t);
  for (const closed of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) {
    const child = spawn('sh', ['-c', `exec "$0" "$@" ${closed}`, server.command, ...server.args], { stdio: 'ignore' });
    const [code, signal] = await once(child, 'close');
    assert.deepEqual([code, signal], [0, null], closed);
  }
});

describe('workflow folders', () => {
  const broken = {
    'metadata is empty': (folder) => fs.writeFileSync(path.join(folder, 'metadata.json'), ''),
    'metadata is no JSON': (folder) => fs.writeFileSync(path.join(folder, 'metadata.json'), '{"workflow_type": '),
    'metadata is an array': (folder) => fs.writeFileSync(path.join(folder, 'metadata.json'), '[]'),
    'metadata is nested without end': (folder) => fs.writeFileSync(path.join(folder, 'metadata.json'), '['.repeat(300000)),
    'metadata has two keys of one name': (folder) =>
      fs.writeFileSync(path.join(folder, 'metadata.json'), '{"version":"1","version":"2"}'),
    'metadata is a folder': (folder) => {
      fs.rmSync(path.join(folder, 'metadata.json'));
      fs.mkdirSync(path.join(folder, 'metadata.json'));
    },
    'gate is no YAML': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'), 'a: [b'),
    'gate has a tab': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'), 'a:\n\tb: c\n'),
    'gate runs code': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'),
      'evidence_schema:\n  x: {type: integer, validator: "lambda x: __import__(\'os\')"}\n'),
    'gate has an unknown validator': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'),
      'evidence_schema:\n  x: {type: integer, validator: is_prime}\n'),
    'gate has an unknown type': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'),
      'evidence_schema:\n  x: {type: integre}\n'),
    'gate asks for the impossible': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'),
      'evidence_schema:\n  x: {type: integer, minimum: 5, maximum: 4}\n'),
    'gate explodes': (folder) => fs.writeFileSync(path.join(folder, 'phases/1/gate-definition.yaml'),
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nevidence_schema: *c\n'),
    'phase text is missing': (folder) => fs.rmSync(path.join(folder, 'phases/2/phase.md')),
    'phase text leads out of the folder': (folder) => {
      fs.rmSync(path.join(folder, 'phases/2/phase.md'));
      fs.symlinkSync('/etc/passwd', path.join(folder, 'phases/2/phase.md'));
    },
    'phase text is a loop of links': (folder) => {
      fs.rmSync(path.join(folder, 'phases/2/phase.md'));
      fs.symlinkSync('phase.md', path.join(folder, 'phases/2/phase.md'));
    },
  };
  test('004-11: a folder without metadata is a workflow by its own documents, with its gates', async (t) => {
    const { server } = project(t, (workflows) => {
      fs.cpSync(bakery, path.join(workflows, 'plain'), { recursive: true });
      fs.rmSync(path.join(workflows, 'plain/metadata.json'));
    });
    const client = await started(t, server);
    const begun = await client.tool('start_workflow', { workflow_type: 'plain' });
    assert.notEqual(begun.isError, true, JSON.stringify(begun));
    const session_id = begun.structuredContent.session_id;
    refusal(await client.tool('complete_phase', { session_id, phase: '1', evidence: {} }), 'incomplete_checkpoint');
  });

  for (const [name, breakIt] of Object.entries(broken)) {
    test(`${name}: listed as broken, never started, the others work`, async (t) => {
      const { server } = project(t, (workflows) => {
        fs.cpSync(bakery, path.join(workflows, 'broken'), { recursive: true });
        breakIt(path.join(workflows, 'broken'));
      });
      const client = await started(t, server);
      const listed = (await client.tool('list_workflows', {})).structuredContent.workflows;
      const entry = listed.find((workflow) => workflow.workflow_type === 'broken');
      assert.equal(entry?.startable, false, JSON.stringify(listed));
      assert.equal(listed.find((workflow) => workflow.workflow_type === 'bakery').startable, true);
      const refused = refusal(await client.tool('start_workflow', { workflow_type: 'broken' }), 'not_startable');
      // The cause may quote a phase that nobody has reached: it is for people only.
      assert.match(refused.content[0].text, /^Refused \(not_startable\): "broken" cannot be started: its files have errors\n/);
      const good = await client.tool('start_workflow', { workflow_type: 'bakery' });
      assert.notEqual(good.isError, true);
    });
  }

  test('004-11, 004-12: a changed document is seen by the next run, a running one keeps its own', async (t) => {
    const { server, workflows } = project(t);
    const client = await started(t, server);
    const first = await client.tool('start_workflow', { workflow_type: 'bakery' });
    fs.writeFileSync(path.join(workflows, 'bakery/phases/1/phase.md'), '# Phase 1: Dough\n\nAnother recipe.\n');
    const second = await client.tool('start_workflow', { workflow_type: 'bakery' });
    assert.match(second.structuredContent.phase_content.content, /Another recipe/);
    const kept = await client.tool('get_current_phase', { session_id: first.structuredContent.session_id });
    assert.match(kept.structuredContent.phase_content.content, /let the dough rest/);
    fs.rmSync(path.join(workflows, 'bakery'), { recursive: true });
    const still = await client.tool('get_task', {
      session_id: first.structuredContent.session_id, phase: '1', file: 'core/flour.md',
    });
    assert.match(still.structuredContent.task.content, /Rye is sour/);
  });
});

describe('state', () => {
  const readOnly = async (client) => {
    refusal(await client.tool('start_workflow', { workflow_type: 'bakery' }));
    const { workflows } = (await client.tool('list_workflows', {})).structuredContent;
    assert.ok(workflows.some((workflow) => workflow.workflow_type === 'bakery'));
  };

  test('a foreign file is refused and left as it is', async (t) => {
    const { server, state } = project(t);
    fs.mkdirSync(state);
    fs.writeFileSync(path.join(state, 'state.db'), 'this is no database\n'.repeat(100));
    const before = fs.readFileSync(path.join(state, 'state.db'));
    await readOnly(await started(t, server));
    assert.deepEqual(fs.readFileSync(path.join(state, 'state.db')), before);
  });

  test('a place below a file is refused, never replaced by another', async (t) => {
    const { server, state } = project(t);
    fs.writeFileSync(state, 'a file where a folder should be');
    await readOnly(await started(t, server));
  });

  test('a probe leaves no trace', async (t) => {
    const { server, state } = project(t);
    const client = await started(t, server);
    await client.request('tools/list', {});
    await client.tool('list_workflows', {});
    await client.tool('list_sessions', {});
    await client.close();
    assert.equal(fs.existsSync(state), false);
  });

  test('a truncated database loses no session silently: it is refused, and nothing is written over it', async (t) => {
    const { server, state } = project(t);
    const client = await started(t, server);
    const begun = await client.tool('start_workflow', { workflow_type: 'bakery' });
    await client.close();
    const file = path.join(state, 'state.db');
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const again = await started(t, server);
    refusal(await again.tool('get_current_phase', { session_id: begun.structuredContent.session_id }));
    await again.close();
    assert.ok(fs.statSync(file).size <= bytes.length / 2 + 4096);
  });

  test('two servers at once: each sees what the other did, and nothing happens twice', async (t) => {
    const { server } = project(t);
    const [one, two] = [await started(t, server), await started(t, server)];
    const begun = await one.tool('start_workflow', { workflow_type: 'bakery', target_file: 'x' });
    const id = begun.structuredContent.session_id;
    const same = await two.tool('start_workflow', { workflow_type: 'bakery', target_file: './x' });
    assert.equal(same.structuredContent.session_id, id);
    assert.equal(same.structuredContent.resumed, true);
    const evidence = { dough_rested: true, loaves: 2, flours: ['rye'] };
    const both = await Promise.all([one, two].map((client) =>
      client.tool('complete_phase', { session_id: id, phase: '1', evidence })));
    assert.deepEqual(both.map((result) => result.structuredContent.checkpoint_passed), [true, true]);
    assert.equal(both.filter((result) => result.structuredContent.repeated).length, 1);
    const state = await two.tool('get_workflow_state', { session_id: id });
    assert.deepEqual(state.structuredContent.progress.completed, ['1']);
  });
});
