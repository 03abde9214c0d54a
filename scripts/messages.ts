/**
 * `npm run messages`: prints the number of texts of the interface in each language, and the faults of these
 * texts. Fails if there is a fault, or if an English text has changed since it was translated.
 *
 * `npm run messages -- KEY…` prints these messages: the English text that was translated, the present one, and the text of
 * each language. With `--accept LANGUAGE…`, or `--accept all`, it records that these languages follow the present English
 * text; the key `all` stands for every message.
 */
import { REPO_ROOT } from './repo-root.ts'
import {
  acceptMessages,
  digestFor,
  digestOf,
  readTranslatedFrom,
  staleMessages,
  writeTranslatedFrom,
} from './translated-from.ts'
import {
  baseOf,
  faultsOf,
  flatten,
  glossaryOf,
  SOURCE,
  type Texts,
  textsOf,
  writtenLanguages,
} from './translations.ts'

const ENGLISH_FILE = 'ui/i18n/messages/en.json'
/** The commits in which an earlier English text is looked for. */
const COMMITS_MAX = 200

const english = textsOf(SOURCE)
const languages = writtenLanguages().filter((code) => code !== SOURCE)
const args = process.argv.slice(2)
const flag = args.indexOf('--accept')
const keys = flag < 0 ? args : args.slice(0, flag)

if (flag >= 0) {
  const accepting = args.slice(flag + 1)
  if (keys.length === 0 || accepting.length === 0) {
    console.error(
      'Name the messages and the languages: npm run messages -- KEY… --accept LANGUAGE…',
    )
    process.exit(1)
  }
  writeTranslatedFrom(acceptMessages(english, readTranslatedFrom(), keys, accepting, languages))
} else if (keys.length > 0) {
  for (const key of keys) show(key)
  process.exit()
}

const common = glossaryOf(SOURCE).same
for (const code of languages) {
  const texts = textsOf(code)
  const faults = faultsOf(code, texts, english, new Set([...common, ...glossaryOf(code).same]))
  console.log(`${code.padEnd(6)} ${texts.size} texts, ${faults.length} faults`)
  report(faults)
}
report(staleMessages(english, readTranslatedFrom(), languages))

/** Prints a message in all languages. A language that has translated another English text is marked. */
function show(key: string): void {
  const text = english.get(key)
  if (text === undefined) throw new Error(`There is no message ${key}.`)
  const translated = readTranslatedFrom()
  const present = digestOf(text)
  const digests = new Set(languages.map((language) => digestFor(translated, key, language)))
  console.log(key)
  for (const digest of digests) {
    if (digest === present) continue
    const old = digest === undefined ? undefined : earlierText(key, digest)
    console.log(`  was    ${old ?? '(not in the commits of this repository)'}`)
  }
  console.log(`  ${SOURCE.padEnd(6)} ${text}`)
  for (const code of languages) {
    const mark = digestFor(translated, key, code) === present ? ' ' : '!'
    for (const [form, written] of formsOf(key, textsOf(code))) {
      console.log(`${mark} ${code.padEnd(6)} ${written}${form === key ? '' : `   (${form})`}`)
    }
  }
}

/** The texts of a language for a message: all plural forms of its name. */
function formsOf(key: string, texts: Texts): [string, string][] {
  if (baseOf(key) === key) return [[key, texts.get(key) ?? '(missing)']]
  return [...texts].filter(([other]) => baseOf(other) === baseOf(key))
}

/** The English text with this digest, from the commits that changed the English texts. */
function earlierText(key: string, digest: string): string | undefined {
  const run = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: REPO_ROOT }).stdout.toString()
  const log = run('log', `--max-count=${COMMITS_MAX}`, '--format=%H', '--', ENGLISH_FILE)
  for (const commit of log.split('\n').filter(Boolean)) {
    const text = flatten(JSON.parse(run('show', `${commit}:${ENGLISH_FILE}`))).get(key)
    if (text !== undefined && digestOf(text) === digest) return text
  }
  return undefined
}

function report(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
