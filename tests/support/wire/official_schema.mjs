// Messages of a server against the official JSON schema of one revision of MCP.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { realDocuments } from './real_documents.mjs';

const resultTypes = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};
/** Methods that may be answered with what is needed first. */
const mayAsk = ['tools/call', 'prompts/get', 'resources/read'];
const errorTypes = {
  '-32002': 'Error',  // resource not found, up to 2025-11-25
  '-32020': 'HeaderMismatchError',
  '-32021': 'MissingRequiredClientCapabilityError',
  '-32022': 'UnsupportedProtocolVersionError',
  '-32600': 'InvalidRequestError',
  '-32601': 'MethodNotFoundError',
  '-32602': 'InvalidParamsError',
  '-32603': 'InternalError',
  '-32700': 'ParseError',
};

/** Checks messages of a server against the official JSON schema of one revision. */
export class OfficialSchema {
  /**
   * The checker of `revision`, or null where its schema is not at hand; the test is then skipped.
   * `modules` is the require function of the folder in which ajv is installed.
   */
  static load(t, revision, modules) {
    const folder = realDocuments(t, 'mcp/schema');
    const file = folder && path.join(folder, `${revision}.schema.json`);
    if (!file) return null;
    if (fs.existsSync(file)) return new OfficialSchema(JSON.parse(fs.readFileSync(file, 'utf8')), modules);
    t.skip(`no official schema of ${revision}`);
    return null;
  }

  constructor(schema, modules) {
    const Ajv = modules(schema.$defs ? 'ajv/dist/2020.js' : 'ajv').default;
    this.ajv = new Ajv({ strict: false, allErrors: true });
    modules('ajv-formats').default(this.ajv);
    this.ajv.addSchema(schema, 'mcp');
    this.names = schema.$defs ?? schema.definitions;
    this.prefix = schema.$defs ? 'mcp#/$defs/' : 'mcp#/definitions/';
    // Requests and notifications carry the name of their method in their type.
    this.byMethod = {};
    for (const [name, { properties }] of Object.entries(this.names)) {
      if (/(Request|Notification)$/.test(name) && properties?.method?.const) this.byMethod[properties.method.const] ??= name;
    }
  }

  /** Fails unless `value` is a `type` of the schema. */
  check(type, value) {
    assert.ok(type in this.names, `the schema has no ${type}`);
    const validate = this.ajv.getSchema(this.prefix + type);
    assert.ok(validate(value), `${type}: ${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  }

  /**
   * Fails unless `message`, which a server has sent, is valid: as an answer to `request` where that is
   * known, or as a request or notification of its own. Returns what was checked, for counting.
   */
  checkMessage({ message, request }) {
    this.check('JSONRPCMessage', message);
    if (message.method) {
      const type = this.byMethod[message.method];
      assert.ok(type, `the revision has no ${message.method}`);
      this.check(type, message);
      return message.method;
    }
    if (message.error) return this.#checkError(message);
    const asks = message.result.resultType === 'input_required' && mayAsk.includes(request?.method);
    const type = asks ? 'InputRequiredResult' : resultTypes[request?.method];
    assert.ok(type, `a result of ${request?.method}`);
    this.check(type, message.result);
    return type;
  }

  #checkError(message) {
    const type = errorTypes[message.error.code];
    assert.ok(type, `an error with the code ${message.error.code}`);
    // Only later revisions describe each error.
    if (type in this.names) {
      const describesWhole = 'jsonrpc' in (this.names[type].properties ?? {}) || this.names[type].allOf;
      this.check(type, describesWhole ? message : message.error);
    }
    return `error ${message.error.code}`;
  }
}
