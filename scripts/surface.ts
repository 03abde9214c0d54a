/**
 * `npm run surface -- BEFORE AFTER`: compares what clients and scripts depend on in two executables: paths, methods,
 * parameters and statuses of the API, commands and options of the command line, tables of the database. Texts are not
 * compared. Prints what AFTER lacks or has changed with `-`, and what it adds with `+`. Fails if there is a line with `-`.
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

const START_TIMEOUT_S = 30

const [before, after] = process.argv.slice(2)
if (!before || !after) {
  console.error('Two executables are needed: npm run surface -- BEFORE AFTER')
  process.exit(2)
}
const [linesBefore, linesAfter] = [
  await surfaceOf(resolve(before)),
  await surfaceOf(resolve(after)),
]
const missingLines = [...linesBefore].filter((line) => !linesAfter.has(line))
for (const line of missingLines) console.log(`- ${line}`)
for (const line of linesAfter) if (!linesBefore.has(line)) console.log(`+ ${line}`)
console.log(
  `${linesBefore.size} before, ${linesAfter.size} after, ${missingLines.length} gone or different`,
)
process.exit(missingLines.length === 0 ? 0 : 1)

/** A line for each operation, parameter and response of the API, each option, and each column of the database. */
async function surfaceOf(program: string): Promise<Set<string>> {
  const home = mkdtempSync(join(tmpdir(), 'filemgr-surface-'))
  try {
    return new Set([...optionsOf(program, home), ...(await apiAndTablesOf(program, home))].sort())
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** The options of a command and its subcommands, as their help lists them. */
function optionsOf(program: string, home: string, command: string[] = []): string[] {
  const { stdout } = Bun.spawnSync([program, ...command, '--help'], { env: environment(home) })
  const help = stdout.toString()
  const options = [...help.matchAll(/^ {2}((?:-\w, )?--[\w.-]+(?: [<[][^ ]+)?)/gm)]
  const [, commands = ''] = /\nCommands:\n((?: .*\n)*)/.exec(help) ?? []
  const names = [...commands.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name)
  const subcommands = names.filter((name) => name !== 'help')
  return [
    ...options.map(([, option = '']) => ['filemgr', ...command, withoutTexts(option)].join(' ')),
    ...subcommands.flatMap((name) => optionsOf(program, home, [...command, name])),
  ]
}

/** Replaces the placeholder of a value, which is a text: only whether an option takes a value is compared. */
function withoutTexts(option: string): string {
  return option.replace(/<[^>]*>/, '<value>')
}

/** The API as its OpenAPI document describes it, and the tables of a new database. */
async function apiAndTablesOf(program: string, home: string): Promise<string[]> {
  const [root, database] = [join(home, 'files'), join(home, 'filemgr.db')]
  mkdirSync(root)
  using port = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const number = port.port
  port.stop(true)
  const argv = [program, 'serve', root, '--database', database, '--port', String(number)]
  const server = Bun.spawn(argv, { env: environment(home), stdout: 'ignore', stderr: 'ignore' })
  try {
    const api = await fetchApi(`http://127.0.0.1:${number}/api/openapi.json`)
    return [...operationsOf(api), ...columnsOf(database)]
  } finally {
    server.kill()
    await server.exited
  }
}

/** Waits for the start of the server. @throws Error if it does not respond in time */
async function fetchApi(url: string): Promise<Api> {
  const untilMs = Date.now() + START_TIMEOUT_S * 1000
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    // The server under test sends its OpenAPI document here.
    if (response?.ok) return (await response.json()) as Api
    if (Date.now() > untilMs) throw new Error(`${url} does not respond`)
    await Bun.sleep(50)
  }
}

function operationsOf({ paths }: Api): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path}`
      return [
        `${route} needs ${operation['x-needs']}`,
        ...operation.parameters.map((parameter) => `${route} ${parameter.in} ${parameter.name}`),
        ...typesOf(operation.requestBody).map((type) => `${route} takes ${type}`),
        ...Object.entries(operation.responses).map(([status, response]) =>
          [`${route} answers ${status}`, ...typesOf(response)].join(' '),
        ),
      ]
    }),
  )
}

function typesOf(body: { content?: object } | undefined): string[] {
  return Object.keys(body?.content ?? {})
}

function columnsOf(path: string): string[] {
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
