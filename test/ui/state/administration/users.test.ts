import { expect, test } from 'bun:test'
import { saveUser } from '#ui/state/administration/users.ts'
import type { User } from '#wire/api/user.ts'
import { sentRequests, serve } from '../../browser.ts'

const BEFORE = { id: 2, username: 'ana', locale: 'en', singleClick: false } as unknown as User

test('a field of a user that another administrator has changed is not overwritten', async () => {
  serve(({ method }) =>
    method === 'GET' ? Response.json({ ...BEFORE, locale: 'fr' }) : new Response('200 OK'),
  )
  await expect(saveUser(BEFORE, { ...BEFORE, locale: 'de' })).rejects.toMatchObject({
    code: 'precondition',
  })
  expect(sentRequests.map(({ method }) => method)).toEqual(['GET'])
  expect(await saveUser(BEFORE, { ...BEFORE, singleClick: true })).toMatchObject({ locale: 'fr' })
  expect(sentRequests.map(({ method }) => method)).toContain('PUT')
})

test('a user who was saved and cannot be read is not reported as failed', async () => {
  serve(({ method }) => {
    if (sentRequests.length > 2) return new Error('no connection')
    return method === 'GET' ? Response.json(BEFORE) : new Response('200 OK')
  })
  expect(await saveUser(BEFORE, { ...BEFORE, locale: 'de' })).toMatchObject({ locale: 'de' })
})
