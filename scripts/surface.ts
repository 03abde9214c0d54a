/**
 * `npm run surface -- BEFORE AFTER`: what others depend on, of two executables side by side: addresses,
 * methods, parameters and statuses of the API, verbs and options of the command line, tables of the
 * database. Texts are left out. What AFTER lacks or has otherwise is printed with `-`, what it adds with
 * `+`; anything with `-` fails.
 */
import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface Api {
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  'x-needs': string
  parameters: { in: string; name: string }[]
  requestBody?: { content: object }
  responses: Record<string, { content?: object }>
}

const START_S = 30

const [before, after] = process.argv.slice(2)
if (!before || !after) {
  console.error('Two executables are needed: npm run surface -- BEFORE AFTER')
  process.exit(2)
}
const [old, now] = [await surfaceOf(resolve(before)), await surfaceOf(resolve(after))]
const missingLines = [...old].filter((line) => !now.has(line))
for (const line of missingLines) console.log(`- ${line}`)
for (const line of now) if (!old.has(line)) console.log(`+ ${line}`)
console.log(`${old.size} before, ${now.size} after, ${missingLines.length} gone or different`)
process.exit(missingLines.length === 0 ? 0 : 1)

/** One line for each fact. */
async function surfaceOf(program: string): Promise<Set<string>> {
  const home = mkdtempSync(join(tmpdir(), 'filemgr-surface-'))
  try {
    return new Set([...verbsOf(program, home), ...(await servedBy(program, home))].sort())
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** The verbs and their options, as the help of each names them. */
function verbsOf(program: string, home: string, verb: string[] = []): string[] {
  const { stdout } = Bun.spawnSync([program, ...verb, '--help'], { env: environment(home) })
  const help = stdout.toString()
  const options = [...help.matchAll(/^ {2}((?:-\w, )?--[\w.-]+(?: [<[][^ ]+)?)/gm)]
  const [, commands = ''] = /\nCommands:\n((?: .*\n)*)/.exec(help) ?? []
  const verbs = [...commands.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name)
  const inside = verbs.filter((name) => name !== 'help')
  return [
    ...options.map(([, option = '']) => ['filemgr', ...verb, withoutTexts(option)].join(' ')),
    ...inside.flatMap((name) => verbsOf(program, home, [...verb, name])),
  ]
}

/** The placeholder of a value is a text of the help; only whether an option takes a value counts. */
function withoutTexts(option: string): string {
  return option.replace(/<[^>]*>/, '<value>')
}

/** The API as it describes itself, and the database of a first start. */
async function servedBy(program: string, home: string): Promise<string[]> {
  const [root, database] = [join(home, 'files'), join(home, 'filemgr.db')]
  mkdirSync(root)
  using port = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const number = port.port
  port.stop(true)
  const argv = [program, 'serve', root, '--database', database, '--port', String(number)]
  const server = Bun.spawn(argv, { env: environment(home), stdout: 'ignore', stderr: 'ignore' })
  try {
    const api = await described(`http://127.0.0.1:${number}/api/openapi.json`)
    return [...addressesOf(api), ...tablesOf(database)]
  } finally {
    server.kill()
    await server.exited
  }
}

async function described(address: string): Promise<Api> {
  const untilMs = Date.now() + START_S * 1000
  for (;;) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return (await answer.json()) as Api
    if (Date.now() > untilMs) throw new Error(`${address} does not answer`)
    await Bun.sleep(50)
  }
}

function addressesOf({ paths }: Api): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const call = `${method.toUpperCase()} ${path}`
      return [
        `${call} needs ${operation['x-needs']}`,
        ...operation.parameters.map((one) => `${call} ${one.in} ${one.name}`),
        ...typesOf(operation.requestBody).map((type) => `${call} takes ${type}`),
        ...Object.entries(operation.responses).map(([status, answer]) =>
          [`${call} answers ${status}`, ...typesOf(answer)].join(' '),
        ),
      ]
    }),
  )
}

function typesOf(body: { content?: object } | undefined): string[] {
  return Object.keys(body?.content ?? {})
}

function tablesOf(path: string): string[] {
  using database = new Database(path, { readonly: true })
  const columns = database
    .query<{ line: string }, []>(
      `select m.name || '.' || c.name || ' ' || c.type as line from sqlite_master m
       join pragma_table_info(m.name) c where m.type = 'table'`,
    )
    .all()
  return columns.map(({ line }) => `table ${line}`)
}

function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? '', COLUMNS: '200' }
}
