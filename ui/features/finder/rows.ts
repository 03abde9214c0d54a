/** The rows of the finder: results by name, then commands, then users, then files that contain the text. */

import { t } from '#ui/i18n/i18n.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filesUrl, goTo, USERS } from '#ui/lib/page/location.ts'
import { closeOverlay } from '#ui/state/dialogs/overlay.ts'
import { clearFinder } from '#ui/state/finder/finder.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { FoundText } from '#wire/api/find.ts'
import type { User } from '#wire/api/user.ts'
import { type Command, findCommands } from './commands.ts'

/** `id` is unique among all rows. */
export type FinderRow =
  | { id: string; hit: Entry; excerpt?: string; run(): void }
  | { id: string; command: Command; run(): void }

export interface RowGroup {
  name: 'recent' | 'files' | 'commands' | 'people' | 'texts'
  rows: readonly FinderRow[]
}

/** What the rows are made from. */
interface Sources {
  text: string
  /** Files that were opened or changed last: the first rows until something is typed. */
  recent: readonly Entry[]
  hits: readonly Entry[]
  /** How many hits there are, also those that are not here yet. */
  total: number
  /** Files that contain the text. They arrive after all other results, so they are the last group, and no row moves. */
  texts: readonly FoundText[]
  commands: readonly Command[]
  users: readonly User[]
  /** Whether all results are shown. */
  showsAll: boolean
  onShowAll(): void
}

/** @returns the groups of rows, without empty groups */
export function groupsOf({
  text,
  recent,
  hits,
  total,
  texts,
  commands,
  users,
  showsAll,
  onShowAll,
}: Sources): readonly RowGroup[] {
  const isTyped = text.trim() !== ''
  const commandsFound = findCommands(commands, text).slice(
    0,
    isTyped ? ON_DEMAND_LIMITS.finderCommandsMax : ON_DEMAND_LIMITS.finderAllCommandsMax,
  )
  const usersFound = isTyped ? findUsers(users, text) : []
  const commandsAndUsers: RowGroup[] = [
    { name: 'commands', rows: commandsFound.map(rowOf) },
    { name: 'people', rows: usersFound.map(userCommand).map(rowOf) },
  ]
  const isCut =
    !showsAll &&
    hits.length >= ON_DEMAND_LIMITS.finderFirstHits + ON_DEMAND_LIMITS.finderMoreHitsMin &&
    commandsAndUsers.some(({ rows }) => rows.length > 0)
  const files = hits.slice(0, isCut ? ON_DEMAND_LIMITS.finderFirstHits : undefined).map(hitOf)
  const moreRow: FinderRow[] = isCut ? [moreOf(total, onShowAll)] : []
  const textRows = texts.map((text) => ({
    ...hitOf(text),
    id: `text ${text.path}`,
    excerpt: text.excerpt,
  }))
  const all: RowGroup[] = [
    { name: 'recent', rows: isTyped ? [] : recent.map(hitOf) },
    { name: 'files', rows: [...files, ...moreRow] },
    ...commandsAndUsers,
    { name: 'texts', rows: textRows },
  ]
  return all.filter(({ rows }) => rows.length > 0)
}

function findUsers(users: readonly User[], text: string): readonly User[] {
  const named = filterByName(
    users.map((user) => ({ name: user.username, user })),
    text,
  )
  return named.slice(0, ON_DEMAND_LIMITS.finderUsersMax).map(({ user }) => user)
}

function hitOf(hit: Entry) {
  const { path, isDir } = hit
  const run = () => {
    closeOverlay()
    goTo(filesUrl(path, isDir))
  }
  return { id: path, hit, run }
}

/** A row that runs a command. The finder closes first, so that the element that had the focus before has it again. */
function rowOf(command: Command): FinderRow {
  const run = () => {
    closeOverlay()
    clearFinder()
    setTimeout(command.run)
  }
  return { id: `command ${command.id}`, command, run }
}

function userCommand({ id, username }: User): Command {
  const url = `${USERS}/${id}`
  return { id: url, group: 'people', name: username, icon: 'user-round', run: () => goTo(url) }
}

function moreOf(count: number, run: () => void): FinderRow {
  const name = t('finder.all', { count })
  const command: Command = { id: 'all', group: 'actions', name, icon: 'chevron-down', run }
  return { id: 'all', command, run }
}
