import { expect, test } from 'bun:test'
import '../../browser.ts'
import { actions } from '#ui/actions/registry.ts'
import { HELP_GROUPS } from '#ui/features/prompts/page/help-groups.ts'

test('each action with keys is in one group of the help', () => {
  const withKeys = actions.filter(({ keys }) => keys !== undefined).map(({ id }) => id)
  const listed = HELP_GROUPS.flatMap((group) => group.actions)
  expect(listed.toSorted()).toEqual(withKeys.toSorted() as typeof listed)
})
