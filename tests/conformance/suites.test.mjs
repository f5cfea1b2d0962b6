// The official conformance suites against the fixture, with exactly the results of expectations.json:
// a scenario that is new, gone, skipped, or has more or fewer checks than before is a failure too.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';

import { complaints, fixture, listening, runSuite, tally } from './lib.mjs';

const expectations = JSON.parse(fs.readFileSync(new URL('./expectations.json', import.meta.url), 'utf8'));
// Scenarios run one after the other, each within half a minute.
const hangs = { timeout: 600_000 };

describe('official conformance suites', { concurrency: false }, () => {
  for (const { suite, name, options, says = [], passes, informs = {}, fails = [] } of expectations.runs) {
    test(`${suite} ${name}`, hangs, async (t) => {
      const url = await listening(t, fixture, ['--listen', '127.0.0.1:0']);
      const { code, output, scenarios } = await runSuite(suite, url, ...options);
      const checked = new Map([...scenarios].filter(([scenario]) => !fails.includes(scenario)));
      const found = Object.fromEntries([...checked].map(([scenario, checks]) => [scenario, tally(checks)]));
      const wanted = Object.fromEntries(Object.entries(passes).map(([scenario, count]) => [scenario, { SUCCESS: count }]));
      for (const scenario of Object.keys(informs)) wanted[scenario] = {};
      assert.deepEqual(found, wanted, complaints(checked) || output.slice(-2000));
      for (const scenario of fails) {
        assert.ok(expectations.notOffered.some(({ begins }) => scenario.startsWith(begins)), `${scenario} may not fail`);
        const { SUCCESS, ...others } = tally(scenarios.get(scenario) ?? []);
        assert.ok(Object.keys(others).length > 0, `${scenario} is listed among those that cannot pass, but ${SUCCESS ? 'passes' : 'did not run'}`);
      }
      for (const words of says) assert.ok(output.includes(words), `"${words}" was not said:\n${output.slice(-2000)}`);
      // What fails beyond what counts does not make the suite fail.
      assert.equal(code, 0, output.slice(-2000));
    });
  }
});
