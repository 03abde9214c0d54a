/** Reads the table of modules: which module a file is in, and what that module may import. */
import { MODULES, type Module } from './modules.ts'

/** The module of a file: the longest name that its path begins with. */
export function moduleOf(path: string): Module | undefined {
  return MODULES.filter(({ module }) => path === module || path.startsWith(`${module}/`)).sort(
    (a, b) => b.module.length - a.module.length,
  )[0]
}

/** The modules of a row by their full names, and whether only types may be imported. */
export function allowedModules({ module, modules }: Module): Map<string, { typesOnly: boolean }> {
  const top = module.split('/')[0]
  return new Map(
    namesIn(modules).map((cell) => {
      const name = cell.replace(' (types)', '')
      const full =
        name === 'wire'
          ? 'server/wire'
          : name.includes('/') || name === 'attacks'
            ? name
            : `${top}/${name}`
      return [full, { typesOnly: cell !== name }]
    }),
  )
}

/** The packages of a row. */
export function allowedPackages({ packages }: Module): Set<string> {
  return new Set(namesIn(packages))
}

function namesIn(cell: string): string[] {
  return cell === '' ? [] : cell.split(', ')
}
