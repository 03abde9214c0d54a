/** How many users still lack a second factor that administrators require. */
import * as factors from '#ui/api/accounts/second-factor.ts'
import type { SecondFactorFor } from '#wire/api/settings.ts'
import type { ListedUser } from '#wire/api/user.ts'
import { permits } from '#wire/permissions.ts'
import { listUsers } from './users.ts'

/** @throws Fault forbidden, unavailable */
export async function usersWithoutFactor(who: SecondFactorFor): Promise<number> {
  const [users, having] = await Promise.all([listUsers(), factors.users()])
  const ids = new Set(having.map(({ userID }) => userID))
  const isConcerned = ({ perm }: ListedUser) =>
    who === 'all' || (who === 'administrators' && permits(perm, 'administer'))
  return users.filter((user) => isConcerned(user) && !ids.has(user.id)).length
}

/** @returns the ids of the users who have one. @throws Fault forbidden, unavailable */
export async function usersWithFactor(): Promise<number[]> {
  return (await factors.users()).map(({ userID }) => userID)
}
