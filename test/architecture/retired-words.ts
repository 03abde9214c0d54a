/** Words that no name may contain. docs/glossary.md has the words to use. */
import { basename } from 'node:path'
import { findAll, type Source } from './sources.ts'

const RETIRED =
  `house office entrance witness happening turns place places grave bury staff newcomer
  newcomers dialect spellings needless readings noting talk powers admission workplace workshop situation
  lonely linger tick trouble wish wishes said walls sight ledger surroundings circumstances
  ghost ghosts ears shower thing things anew whose strangers`.split(/\s+/)

/** A retired word as a whole part of a name in camel case or kebab case. */
const NAME = new RegExp(
  RETIRED.flatMap((word) => {
    const upper = word[0]?.toUpperCase() + word.slice(1)
    return [
      `\\b${word}(?=[A-Z_]|\\b)`,
      `(?<=[a-z])${upper}(?=[A-Z]|\\b)`,
      `\\b${upper}(?=[A-Z]|\\b)`,
    ]
  }).join('|'),
  'g',
)
/** Text between quotes or JSX tags, and the CSS properties `place-items`, `place-content` and `place-self`. */
const TEXT =
  /(?<=\bpla)ce-(?:items|content|self)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|>[^<>{}]*</g

/** @returns each retired word in the file's name, its identifiers or its CSS classes; texts may use any word */
export function retiredWordsIn(source: Source): string[] {
  const file = basename(source.path).match(NAME) === null ? [] : [`${source.path}: the file's name`]
  const code = source.code.replace(TEXT, (text) => text.replace(/[^\n]/g, ' '))
  return [...file, ...findAll({ ...source, code }, NAME)]
}
