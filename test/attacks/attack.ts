/** Runs attacks of the catalogue against a server of their own, each from the same beginning. */
import { afterAll, beforeAll, beforeEach, test } from 'bun:test'
import type { Case } from '#cli/attack/case.ts'
import { openWorld, type World } from '#cli/attack/world.ts'
import { filemgr } from '../support/executable.ts'

/** @param words more words for `filemgr serve` */
export function attack(cases: readonly Case[], words: string[] = []): void {
  let world: World
  beforeAll(async () => {
    world = await openWorld(filemgr(), words)
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.reset())

  test.each(cases.map((one) => [one.id, one.attack, one] as const))(
    '%s: %s',
    (_, __, one) => one.run(world),
    30_000,
  )
}
