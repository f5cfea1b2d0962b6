// Every message that the suites provoke, against the official schema of its revision: the suites check
// much of that themselves, but not what comes on streams that they do not read to the end, nor errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkExchanges } from '../support/wire/exchanges.mjs';
import { OfficialSchema } from '../support/wire/official_schema.mjs';
import { RecordingProxy } from '../support/wire/recording_proxy.mjs';
import { fixture, listening, modules, runSuite } from './lib.mjs';

const hangs = { timeout: 600_000 };

const both = [
  'ListToolsResult', 'CallToolResult', 'ListResourcesResult', 'ReadResourceResult', 'ListPromptsResult',
  'GetPromptResult', 'CompleteResult', 'notifications/progress',
];
const kinds = {
  '2025-11-25': [
    ...both, 'InitializeResult', 'EmptyResult', 'notifications/message', 'elicitation/create', 'sampling/createMessage',
  ],
  '2026-07-28': [
    ...both, 'ListResourceTemplatesResult', 'DiscoverResult', 'InputRequiredResult',
    'notifications/subscriptions/acknowledged', 'notifications/tools/list_changed', 'notifications/prompts/list_changed',
    'error -32020', 'error -32021', 'error -32022', 'error -32601', 'error -32602',
  ],
};

for (const revision of Object.keys(kinds)) {
  test(`every message that the suite provokes is valid in ${revision}`, hangs, async (t) => {
    const schema = OfficialSchema.load(t, revision, modules);
    if (!schema) return;
    const proxy = await RecordingProxy.begin(await listening(t, fixture, ['--listen', '127.0.0.1:0']));
    t.after(() => proxy.close());
    await runSuite('0.2.0-alpha.12', proxy.url, '--requirements', revision);
    const counts = checkExchanges(proxy.exchanges, { [revision]: schema });
    for (const kind of kinds[revision]) assert.ok(counts[`${revision} ${kind}`], `${kind} is not among ${JSON.stringify(counts)}`);
  });
}
