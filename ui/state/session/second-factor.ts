/** Setting up and removing second factors. */
import { proxy } from 'valtio'
import * as api from '#ui/api/accounts/second-factor.ts'
import { assign } from '#ui/lib/assign.ts'
import type { SecondFactor, SecondFactorDraft } from '#wire/api/second-factor.ts'
import { ask } from '../dialogs/prompts.ts'
import { confirmed } from './reauth.ts'

interface FactorDue {
  /** From when the signed-in user needs a second factor, in RFC 3339; empty if the user has one, or needs none. */
  from: string
  /** The ID of the user who has closed the message about it. */
  closedBy: number | undefined
}

/** What the message shows about a second factor that is missing. */
export const factorDue = proxy<FactorDue>({ from: '', closedBy: undefined })

/** Also updates `factorDue`. @throws Fault unavailable */
export async function ownSecondFactor(): Promise<SecondFactor> {
  const secondFactor = await api.status()
  const { since, passkeyHosts, requiredFrom } = secondFactor
  const isMissing = since === '' && passkeyHosts.length === 0
  assign(factorDue, { from: isMissing ? requiredFrom : '' })
  return secondFactor
}

/** Closes the message about a missing second factor, until the page is loaded again. */
export function closeFactorDue(userId: number): void {
  assign(factorDue, { closedBy: userId })
}

/** @returns since when a user signs in with a second factor, in RFC 3339; empty if without. @throws Fault forbidden */
export async function secondFactorSince(userId: number): Promise<string> {
  const users = await api.users()
  return users.find(({ userID }) => userID === userId)?.since ?? ''
}

/**
 * Sets a second factor up, and shows the recovery codes.
 *
 * @returns whether it is in use; false if the user cancelled
 * @throws Fault tooMany, unavailable
 */
export async function setUpSecondFactor(): Promise<boolean> {
  const draft = await confirmed<SecondFactorDraft>(api.begin)
  const codes = draft && (await ask({ name: 'newSecondFactor', draft }))
  if (!codes) return false
  await ask({ name: 'recoveryCodes', codes })
  return true
}

/** @throws Fault badRequest (the code is wrong), expired, unavailable */
export const confirmSecondFactor = api.confirm

/** Replaces the recovery codes, and shows the new ones. @throws Fault tooMany, unavailable */
export async function renewRecoveryCodes(): Promise<void> {
  const codes = await confirmed(api.renewRecoveryCodes)
  if (codes) await ask({ name: 'recoveryCodes', codes })
}

/**
 * @param userId by default one's own second factor is removed
 * @returns false if the user cancelled
 * @throws Fault tooMany, unavailable, notFound
 */
export async function removeSecondFactor(userId?: number): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.remove(password, userId)
    return true as const
  })
  return done ?? false
}
