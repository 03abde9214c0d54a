import { expect, test } from 'bun:test'
import { assign } from '#ui/lib/assign.ts'
import { pageSettings } from '#ui/lib/page/page.ts'
import { saveGlobalSettings, settings } from '#ui/state/session/settings.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { sentRequests, serve } from '../../browser.ts'

const BEFORE = {
  signup: false,
  rules: [],
  shell: ['sh', '-c'],
  branding: { name: 'Ours', color: '' },
  tus: { chunkSize: 1024, retryCount: 5 },
  defaults: { scope: '/', locale: 'en' },
} as unknown as GlobalSettings

test('only changed settings are sent, so that changes of another administrator stay', async () => {
  const theirs = { ...BEFORE, branding: { name: 'Theirs', color: '' } }
  serve(({ method }) => (method === 'GET' ? Response.json(theirs) : new Response('200 OK')))
  const after = { ...BEFORE, signup: true, branding: { ...BEFORE.branding, color: 'red' } }
  expect((await saveGlobalSettings(BEFORE, after)).branding.name).toBe('Theirs')
  expect(JSON.parse(String(sentRequests[1]?.body))).toEqual({
    signup: true,
    branding: { color: 'red' },
    tus: {},
    defaults: {},
  })
})

test.each([
  [{ rules: [{ allow: false, regex: false, path: '/theirs', regexp: null }] }],
  [{ branding: { ...BEFORE.branding, color: 'red' } }],
])('a setting that another administrator changed to %j is not overwritten', async (theirs) => {
  serve(() => Response.json({ ...BEFORE, ...theirs }))
  const rules = [{ allow: true, regex: false, path: '/mine', regexp: null }]
  const after = { ...BEFORE, rules, branding: { ...BEFORE.branding, color: 'blue' } }
  await expect(saveGlobalSettings(BEFORE, after)).rejects.toMatchObject({ code: 'precondition' })
  expect(sentRequests.map(({ method }) => method)).toEqual(['GET'])
})

test('settings that were saved and cannot be read are not reported as failed', async () => {
  const theirs = { ...BEFORE, shell: ['bash'] }
  serve(() => {
    if (sentRequests.length === 3) return new Response('', { status: 503 })
    return sentRequests.length === 1 ? Response.json(theirs) : new Response('200 OK')
  })
  const after = { ...BEFORE, signup: true, branding: { ...BEFORE.branding, color: 'red' } }
  expect(await saveGlobalSettings(BEFORE, after)).toEqual({ ...after, shell: ['bash'] })
  expect(settings).toMatchObject({ Signup: true, Color: 'red' })
  assign(settings, pageSettings())
})
