/** Every attack of the catalogue fails. Each class has a server of its own, and each attack begins with the same files. */
import { afterAll, beforeAll, beforeEach, describe, test } from 'bun:test'
import { type Fixture, openFixture } from '#attacks/fixture.ts'
import { ATTACK_CLASSES } from '#attacks/suite.ts'
import { filemgrInRun } from '../support/server/executable.ts'
import { noMounts } from '../support/system/mounts.ts'

for (const { name, cases, setup } of ATTACK_CLASSES) {
  describe.skipIf(setup?.mount === true && noMounts !== undefined)(name, () => {
    let fixture: Fixture
    beforeAll(async () => {
      fixture = await openFixture(filemgrInRun(), setup)
    })
    afterAll(() => fixture[Symbol.asyncDispose]())
    beforeEach(() => fixture.reset())

    test.each(cases.map((each) => [each.id, each.attack, each] as const))(
      '%s: %s',
      (_, __, each) => each.run(fixture),
      30_000,
    )
  })
}
