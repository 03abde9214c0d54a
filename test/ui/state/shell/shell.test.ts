import { beforeEach, describe, expect, test } from 'bun:test'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import '../../browser.ts'
import { actionOf } from '#ui/actions/registry.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { closeShell, openShell, resizeShell, shell } from '#ui/state/shell/shell.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { userOf } from '../../browser.ts'

/** Signs a user in; the panel has the state that this user left. */
async function signIn(id: number): Promise<void> {
  session.user = userOf({ id })
  await settled()
}

/** Resolves when the subscribers of the stores have been called. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve()
}

beforeEach(async () => {
  localStorage.clear()
  session.user = null
  await settled()
  await signIn(1)
})

test('the shell panel keeps the state of each user', async () => {
  openShell()
  shell.tab = 'terminal'
  resizeShell(12, 60)
  await settled()
  await signIn(2)
  expect(shell).toMatchObject({ open: false, tab: 'commands', heightEm: UI_LIMITS.shellHeightEm })
  await signIn(1)
  expect(shell).toMatchObject({ open: true, tab: 'terminal', heightEm: 12, openRequests: 0 })
})

test('opening the panel requests the focus for the prompt, closing it does not', () => {
  openShell()
  expect([shell.open, shell.openRequests]).toEqual([true, 1])
  closeShell()
  expect([shell.open, shell.openRequests]).toEqual([false, 1])
})

describe('the height of the panel', () => {
  test.each([
    [10, 56, 10],
    [1, 56, 2.25],
    [90, 56, 56],
    [Number.POSITIVE_INFINITY, 56, 56],
    [20, 1, 2.25],
  ])('a height of %p em where %p em fit is limited to %p', (wanted, maxEm, height) => {
    resizeShell(wanted, maxEm)
    expect(shell.heightEm).toBe(height)
  })
})

describe('the shell action', () => {
  const can = () => actionOf('shell').when(actionContext())

  test('the action requires the execute right, a server with commands, and a page of files', () => {
    Object.assign(listing, { path: parsePath('/docs'), status: 'loading', asFolder: true })
    settings.EnableExec = false
    expect(can()).toBe(false)
    settings.EnableExec = true
    expect(can()).toBe(true)
    session.user = userOf({ perm: permissionsOf('create', 'download') })
    expect(can()).toBe(false)
    session.user = userOf({ perm: permissionsOf('execute') })
    expect(can()).toBe(true)
    listing.status = 'idle'
    expect(can()).toBe(false)
    settings.EnableExec = false
  })
})
