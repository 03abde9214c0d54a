/**
 * Long and tiny code. Lengths are questions, not rules: `npm run modules` lists them, and a commit that adds to
 * the list gives the reason. Biome indents all code, so an indented closing brace ends what its line began.
 */
import { basename } from 'node:path'
import { importsOf, type Source } from './sources.ts'

/** Lines, of the first and of the last brace too. */
const FUNCTION_LINES = 60
const COMPONENT_LINES = 80
const CLASS_LINES = 400
/** Lines of code in a file, without imports, comments and empty lines. */
const SMALL_FILE_LINES = 20

const FUNCTION =
  /^( *)(?:export )?(?:(?:private|protected|static|override|async) )*(?:function\*? ?(?<name>\w+)|(?<method>[#\w]+)(?=[<(]))/
/** What looks like the head of a method at its start. */
const STATEMENT = /^(?:if|for|while|switch|catch|return|await|void|super|new|typeof|yield)$/
const CLASS = /^( *)(?:export )?(?:abstract )?class (?<name>\w+)/

/** @returns `path:line: name, N lines` of each function, component and class that is longer than a reader keeps in mind */
export function longCode(code: readonly Source[]): string[] {
  return code.flatMap((source) => [...longClasses(source), ...longFunctions(source)])
}

/** @returns the path of each file with one small function that a single file imports */
export function tinyFiles(code: readonly Source[]): string[] {
  const importers = new Map<string, Set<string>>()
  for (const source of code) {
    for (const { target } of importsOf(source)) {
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(source.path))
    }
  }
  return code
    .filter((source) => importers.get(source.path)?.size === 1 && hasOneSmallFunction(source))
    .map(({ path }) => path)
}

function longClasses({ path, code }: Source): string[] {
  return blocks(code, CLASS)
    .filter(({ lines }) => lines > CLASS_LINES)
    .map(({ name, line, lines }) => `${path}:${line}: class ${name}, ${lines} lines`)
}

function longFunctions({ path, code }: Source): string[] {
  const isComponentFile = path.endsWith('.tsx')
  return blocks(code, FUNCTION)
    .filter(({ name, lines }) => {
      const isComponent = isComponentFile && /^[A-Z]/.test(name)
      return lines > (isComponent ? COMPONENT_LINES : FUNCTION_LINES)
    })
    .map(({ name, line, lines }) => `${path}:${line}: ${name}, ${lines} lines`)
}

/** Finds blocks by the line that begins them. Each ends at the next line that is its indentation and a brace. */
function blocks(code: string, head: RegExp): { name: string; line: number; lines: number }[] {
  const all = code.split('\n')
  return all.flatMap((text, index) => {
    const match = head.exec(text)
    const name = match?.groups?.name ?? match?.groups?.method
    if (name === undefined || STATEMENT.test(name)) return []
    const indent = match?.[1] ?? ''
    const end = all.findIndex((other, at) => at >= index && other.startsWith(`${indent}}`))
    // A call, whose arguments may span lines, ends with a parenthesis.
    if (end < 0 || !all.slice(index, end + 1).some((line) => line.endsWith('{'))) return []
    const isDeclaration = all[end] === `${indent}}`
    const begins = all.slice(index, end).findIndex((line) => line.endsWith('{'))
    const hasHead = all
      .slice(index + 1, index + begins + 1)
      .every((line) => line.startsWith(`${indent}  `) || line.startsWith(`${indent})`))
    return isDeclaration && hasHead ? [{ name, line: index + 1, lines: end - index + 1 }] : []
  })
}

function hasOneSmallFunction({ path, code }: Source): boolean {
  if (basename(path).endsWith('-worker.ts')) return false
  const withoutImports = code.replace(
    /^(?:import|export) [^;]*? from '[^']*'\n|^import '[^']*'\n/gm,
    '',
  )
  const lines = withoutImports.split('\n').filter((line) => line.trim() !== '')
  const functions = withoutImports.match(/^(?:export )?(?:async )?function\*? ?\w+/gm) ?? []
  const others = withoutImports.match(/^export (?:const|class|interface|type|let) /gm) ?? []
  return functions.length === 1 && others.length === 0 && lines.length <= SMALL_FILE_LINES
}
