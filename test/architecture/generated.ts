/** The documents that `npm run modules` writes, wholly or between two marks. */
import { ATTACK_CLASSES } from '#attacks/suite.ts'
import { ROUTES } from '#server/http/app.ts'
import type { Route } from '#server/http/context/context.ts'
import { CONCURRENCY_LIMITS, type LimitRule } from '#server/limits/concurrency-limits.ts'
import { withModules } from './module-list.ts'

/** By path: a function that returns the document as it should be. */
export const GENERATED: Record<string, (document: string) => string> = {
  'ARCHITECTURE.md': withModules,
  'docs/attacks.md': attackList,
  'docs/limits.md': withConcurrencyLimits,
  'docs/routes.md': routeList,
}

const ATTACKS_HEAD = `# Attacks

These attacks are published against file managers. Each has a similar legitimate request that must continue to work.
\`filemgr doctor --attack\` runs them against a server that the executable starts for this purpose. \`npm test\` runs them too.
[protections.md](protections.md) explains the protections. \`npm run modules\` writes this list from \`attacks/cases/\`.
`

/** All of docs/attacks.md. */
function attackList(): string {
  const classes = ATTACK_CLASSES.map(({ name, cases }) => {
    const rows = cases.map(({ id, attack, reason }) => row(id, attack, reason))
    const head = ['| case | attack | reason why it fails |', '| --- | --- | --- |']
    return `## ${name}\n\n${[...head, ...rows].join('\n')}\n`
  })
  return [ATTACKS_HEAD, ...classes, advisoryList()].join('\n')
}

const ADVISORIES_HEAD = `## Published advisories

Advisories about other programs, and the case that tries the same here. A version is the last one with the fault. Advisories about WebDAV, about
links that receive files and about limits of downloads have no case: filemgr has none of these.
`

/** The advisories of all cases, in the order of their texts. */
function advisoryList(): string {
  const rows = ATTACK_CLASSES.flatMap(({ cases }) => cases)
    .flatMap(({ id, advisories = [] }) => advisories.map((advisory) => row(advisory, id)))
    .sort()
  return `${ADVISORIES_HEAD}\n${['| advisory | case |', '| --- | --- |', ...rows].join('\n')}\n`
}

const ROUTES_HEAD = `# Routes

Each route of the API, and what it accepts. A session is a token in \`X-Auth\`, or in the cookie for \`GET\` and \`HEAD\`. An app password
is accepted by the routes of files and folders only: none that makes a session, an account, a password or a setting. With *whole folder*, it
must not be limited to a folder. A *confirmed* route asks the user for the password, and for a second factor that was given at most five minutes
ago, or for a log-in with a provider at most five minutes ago: before anything else happens, except for *some changes*. While a required second factor is missing, a session may call only the routes with *yes* in the last column.
\`npm run modules\` writes this list from \`server/http/routes/\`, and a test compares it: a new route is a decision that can be seen.

`

const NEEDS: Partial<Record<Route['needs'], string>> = {
  anyone: 'anyone',
  session: 'a session',
  admin: 'a session of an administrator',
}
const RECENT = { always: 'yes', sometimes: 'some changes', itself: 'it confirms', never: '' }
const APP_PASSWORDS = { none: '', any: 'yes', wholeFolder: 'whole folder' }

/** All of docs/routes.md. */
function routeList(): string {
  const rows = ROUTES.map((route) => {
    const needs = NEEDS[route.needs] ?? `a session with the right \`${route.needs}\``
    const isPublic = route.needs === 'anyone'
    const app = isPublic ? '' : APP_PASSWORDS[route.appPassword]
    const recent = isPublic ? '' : RECENT[route.recent ?? 'never']
    const enrols = !isPublic && route.enrols ? 'yes' : ''
    const method = route.anyMethod ? 'any' : route.method
    return row(method, `\`${route.path}\``, needs, app, recent, enrols)
  })
  const head = [
    '| method | path | who | app password | confirmed | without a required second factor |',
    '| --- | --- | --- | --- | --- | --- |',
  ]
  return `${ROUTES_HEAD}${[...head, ...rows].join('\n')}\n`
}

const MARKED_LIMITS = /(<!-- concurrency-limits -->\n)([\s\S]*?)(<!-- \/concurrency-limits -->)/

/**
 * The document with the current concurrency limits. Tests name limits by their numbers, so a limit keeps the number that it
 * has in the document. A new one, also one with a new text, gets the next number after all others.
 */
function withConcurrencyLimits(document: string): string {
  return document.replace(
    MARKED_LIMITS,
    (_, start: string, table: string, end: string) =>
      `${start}\n${limitTable(numbersIn(table), highestIn(document))}\n\n${end}`,
  )
}

function limitTable(numbers: ReadonlyMap<string, number>, highest: number): string {
  const limits: LimitRule[] = Object.values(CONCURRENCY_LIMITS)
  const added = limits.map(({ what }) => what).filter((what) => !numbers.has(what))
  const rows = limits.map(({ what, perKey, per, all, waiting }) => {
    const number = numbers.get(what) ?? highest + 1 + added.indexOf(what)
    const one = perKey === undefined ? '' : `${perKey} (${per === 'address' ? 'an' : 'a'} ${per})`
    return row(`L${number}`, what, one, String(all ?? ''), String(waiting ?? ''))
  })
  const head = [
    '| no. | of these | one may have | all may have | more may wait |',
    '| --- | --- | --- | --- | --- |',
  ]
  return [...head, ...rows].join('\n')
}

/** The numbers of the limits in a table, by what they limit. */
function numbersIn(table: string): Map<string, number> {
  const rows = [...table.matchAll(/^\| L(\d+) \| (.*?) \|/gm)]
  return new Map(rows.map(([, number, what = '']) => [what, Number(number)]))
}

function highestIn(document: string): number {
  return Math.max(...[...document.matchAll(/^\| L(\d+) \|/gm)].map(([, number]) => Number(number)))
}

function row(...cells: string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
}
