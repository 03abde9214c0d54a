/** The folder of the last move on this page, to which other entries can be moved again. */
import type { TreePath } from '#wire/paths.ts'
import { onUserChange } from '../session/session.ts'

export const lastMove: { to?: TreePath } = {}

onUserChange(() => delete lastMove.to)
