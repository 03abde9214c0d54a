/** Builds the OpenAPI 3.1 description from the route table and the schemas. */
import { z } from 'zod'
import { TOKEN_COOKIE, TOKEN_HEADER } from '#wire/api/session.ts'
import type { Route } from '../context/context.ts'
import type { ResponseDocs } from '../context/route-docs.ts'

type Json = Record<string, unknown>

export interface OpenApi {
  openapi: '3.1.0'
  info: Json
  servers: { url: string }[]
  security: Json[]
  /** Path → lower-case method → operation. */
  paths: Record<string, Record<string, Operation>>
  components: Json
}

export interface Operation {
  tags: string[]
  summary: string
  /** Who may call it: anyone, signed-in users, or holders of a permission. */
  'x-needs': string
  security?: Json[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Json
}

/** @param baseURL the prefix of all paths */
export function describeApi(routes: readonly Route[], baseURL: string, version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    const address = templateOf(route.path)
    const method = (route.docs.method ?? route.method).toLowerCase()
    const operations = paths[address] ?? {}
    paths[address] = operations
    operations[method] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'filemgr',
      version,
      description:
        'Sign in at `/api/login`; the response is a token. Send it in the header `X-Auth`. Errors are text; the header `X-Fault` contains their code. If too many requests are in progress, any call may return 429 (too many of this user) or 503 (too many of all users); `Retry-After` says when to try again. The response to a change of files contains the id of its journal entry in `X-Journal-Id`; `/api/journal/undo` undoes it.',
    },
    servers: [{ url: baseURL || '/' }],
    security: SESSION,
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: TOKEN_HEADER },
        cookie: { type: 'apiKey', in: 'cookie', name: TOKEN_COOKIE, description: 'only for GET' },
        appPassword: {
          type: 'http',
          scheme: 'basic',
          description: 'the user name and an app password',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'an app password' },
      },
    },
  }
}

/** A token, or the cookie that holds it. */
const SESSION: Json[] = [{ token: [] }, { cookie: [] }]
const FORBIDDEN =
  'the right to it is missing, or an app password may not be used for it or has lost its folder'

/** `/api/users/:id{[0-9]+}` becomes `/api/users/{id}`; `*` becomes a path parameter. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}').replace(/\/\*$/, '/{path}')
}

function operationOf(route: Route): Operation {
  const { path, needs, docs } = route
  const template = templateOf(path)
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [, , firstName = ''] = template.split('/')
  return {
    tags: [TAGS[firstName] ?? 'server'],
    summary: docs.summary,
    'x-needs': needs,
    ...securityOf(route),
    parameters: [
      ...inPath.map((name) => parameter('path', name, PATH_PARAMETERS[name] ?? 'which one')),
      ...Object.entries(docs.query ?? {}).map(([name, text]) => parameter('query', name, text)),
      ...Object.entries(docs.headers ?? {}).map(([name, text]) => parameter('header', name, text)),
    ],
    ...(docs.body === undefined ? {} : { requestBody: bodyOf(docs.body) }),
    responses: responsesOf(route, inPath.includes('path')),
  }
}

/** How a request may be authenticated, where it is not by a session only. */
function securityOf(route: Route): { security?: Json[] } {
  if (route.needs === 'anyone') return { security: [{}] }
  if (route.appPassword === 'none') return {}
  return { security: [...SESSION, { appPassword: [] }, { bearer: [] }] }
}

/** The tag of the operations, by the first name of the path after `/api/`. */
const TAGS: Record<string, string> = {
  login: 'signing in',
  renew: 'signing in',
  logout: 'signing in',
  signup: 'signing in',
  sessions: 'signing in',
  'app-passwords': 'signing in',
  'second-factor': 'signing in',
  passkeys: 'signing in',
  audit: 'users',
  resources: 'files',
  raw: 'files',
  archive: 'files',
  'archive-file': 'files',
  preview: 'files',
  subtitle: 'files',
  usage: 'files',
  events: 'files',
  search: 'files',
  journal: 'undo',
  trash: 'undo',
  versions: 'undo',
  tus: 'uploads',
  uploads: 'uploads',
  share: 'shares',
  shares: 'shares',
  public: 'shares',
  users: 'users',
  command: 'commands',
}

/** The description of each path parameter, by its name. */
const PATH_PARAMETERS: Record<string, string> = {
  path: 'the path; each name, as a listing shows it, is percent-encoded as UTF-8, and a folder ends with a slash. A byte of a name that is not UTF-8 is a character from U+EF80 to U+EFFF: `%EE%BF%BF` stands for the byte FF, and `%FF` is 400',
  size: '`thumb`, `small`, `row` or `big`',
  hash: 'the id of the share, as in its link',
  id: 'the id: a number, or a text for sessions and uploads',
}

function parameter(location: Parameter['in'], name: string, description: string): Parameter {
  return {
    name,
    in: location,
    required: location === 'path',
    description,
    schema: { type: 'string' },
  }
}

function bodyOf(body: z.ZodType | string): NonNullable<Operation['requestBody']> {
  return typeof body === 'string'
    ? { content: { [body]: { schema: { type: 'string', format: 'binary' } } } }
    : { content: { 'application/json': { schema: schemaOf(body) } } }
}

const UNAVAILABLE =
  'a disk does not respond, or another program holds the database; try again later'

/** The route's own responses, and those that follow from its input and permissions. */
function responsesOf({ method, docs, needs }: Route, hasPath: boolean): Operation['responses'] {
  const described: Record<string, string | ResponseDocs> = {}
  if (hasPath || docs.body) described[400] = 'the request cannot be understood; the text says why'
  if (needs !== 'anyone') described[401] = 'the user is not signed in'
  if (needs !== 'anyone') described[403] = FORBIDDEN
  if (hasPath)
    described[409] =
      'the path is a file where a folder is needed, or a folder where a file is needed'
  if (docs.body) described[413] = 'the body is too large'
  if (method !== 'GET') described[507] = 'there is no space left, on the disk or for the database'
  if (hasPath || needs !== 'anyone') described[503] = UNAVAILABLE
  const all = Object.entries({ ...described, ...docs.responses })
  return Object.fromEntries(all.map(([status, response]) => [status, responseOf(response)]))
}

function responseOf(docs: string | ResponseDocs): Operation['responses'][string] {
  if (typeof docs === 'string') return { description: docs }
  const { description, shape, type = 'text/plain' } = docs
  const content = shape
    ? { 'application/json': { schema: schemaOf(shape) } }
    : { [type]: { schema: { type: 'string' } } }
  return { description, content }
}

function schemaOf(shape: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })
  return schema
}
