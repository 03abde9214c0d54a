/** App passwords, which give a program a part of what its user may do. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import type { RawResponse } from '../raw-request.ts'

export const appPasswordCases: AttackCase[] = [
  {
    id: 'G-221',
    attack: 'exchanging a limited app password for a session, another app password or more rights',
    reason: 'each route says whether it takes an app password, and none that gives access does',
    advisories: [
      'FileBrowser Quantum 2.0.9 (a limited token renewed to a session)',
      'artifact-keeper#2430',
    ],
    async run(fixture) {
      const send = using(fixture, await make(fixture, { permissions: ['download'] }))
      for (const [method, target, body] of [
        ['POST', '/api/renew', {}],
        ['GET', '/api/renew', undefined],
        ['GET', '/api/sessions', undefined],
        [
          'POST',
          '/api/app-passwords',
          { name: 'more', permissions: ['delete'], current_password: FIXTURE_PASSWORD },
        ],
        ['GET', '/api/app-passwords', undefined],
        ['GET', '/api/users', undefined],
        ['PUT', '/api/appearance', { theme: 'dark' }],
        ['POST', '/api/jobs', { kind: 'copy', items: [] }],
        ['DELETE', '/api/resources/own.txt', undefined],
        ['PUT', '/api/resources/own.txt', {}],
      ] as const) {
        const response = await send(method, target, body)
        refused(response, `${method} ${target}`, 403)
        assert(!response.headers.has('set-cookie'), `${target} sets a cookie`)
      }
      const login = { username: 'alice', password: await make(fixture, {}) }
      refused(await fixture.call('', 'POST', '/api/login', login), 'signing in', 403)
      untouched(fixture, 'the attempts', 'alice/own.txt')
      works(await send('GET', '/api/raw/own.txt'), 'a download with it')
    },
  },
  {
    id: 'G-220',
    attack: 'leaving the folder of an app password, or getting another folder by its name',
    reason: 'the folder is the root of all paths, and is known by its identity',
    advisories: ['Cloudreve#1791', 'FileRise 3.35 (a read-only limit avoided by another protocol)'],
    async run(fixture) {
      mkdirSync(fixture.disk('alice/box'))
      writeFileSync(fixture.disk('alice/box/inside.txt'), 'inside')
      const send = using(fixture, await make(fixture, { folder: '/box' }))
      for (const target of [
        '/api/raw/..%2fown.txt',
        '/api/raw/%2e%2e/own.txt',
        '/api/raw/box/../../own.txt',
      ]) {
        hides(fixture, await send('GET', target), target, 'alice/own.txt')
      }
      const copy = '/api/resources/inside.txt?action=copy&destination=%2F..%2Fcopied.txt'
      await send('PATCH', copy)
      assert(!fixture.exists('alice', 'copied.txt'), 'the copy left the folder')
      for (const target of ['/api/trash', '/api/journal', '/api/shares']) {
        refused(await send('GET', target), target, 403)
      }
      works(await send('GET', '/api/raw/inside.txt'), 'a file in the folder')
      renameSync(fixture.disk('alice/box'), fixture.disk('alice/moved'))
      mkdirSync(fixture.disk('alice/box'))
      writeFileSync(fixture.disk('alice/box/private.txt'), 'private')
      refused(await send('GET', '/api/raw/private.txt'), 'another folder of the name', 403)
    },
  },
]

/** Makes an app password of alice. */
async function make(fixture: Fixture, fields: object): Promise<string> {
  const permissions = ['create', 'rename', 'modify', 'delete', 'share', 'download']
  const request = { name: 'attack', permissions, current_password: FIXTURE_PASSWORD, ...fields }
  const response = await fixture.call('alice', 'POST', '/api/app-passwords', request)
  return JSON.parse(works(response, 'a new app password', 201).text).password
}

function using(fixture: Fixture, password: string) {
  const headers = { 'X-Auth': password }
  return (method: string, target: string, body?: object): Promise<RawResponse> =>
    fixture.raw('', method, target, body === undefined ? '' : JSON.stringify(body), headers)
}
