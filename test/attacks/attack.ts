/** Runs attacks of the catalogue against a server of their own, each from the same beginning. */
import { afterAll, beforeAll, beforeEach, test } from 'bun:test'
import type { Case } from '#cli/attack/case.ts'
import { openWorld, type Setup, type World } from '#cli/attack/world.ts'
import { filemgr } from '../support/executable.ts'

export function attack(cases: readonly Case[], setup: Setup = {}): void {
  let world: World
  beforeAll(async () => {
    world = await openWorld(filemgr(), setup)
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.reset())

  test.each(cases.map((one) => [one.id, one.attack, one] as const))(
    '%s: %s',
    (_, __, one) => one.run(world),
    30_000,
  )
}
