import { expect, test } from 'bun:test'
import { Fault, faultHeader, readFaultHeader } from '#wire/fault.ts'

test('the header of a fault without a reason is the code', () => {
  const header = faultHeader(new Fault('notFound', 'There is no such file.'))
  expect(header).toBe('notFound')
  expect(readFaultHeader(header)).toEqual({ code: 'notFound', options: { params: {} } })
})

test('reason, field and numbers of a fault are parameters of the header', () => {
  const options = { reason: 'passwordTooShort', field: 'password', params: { length: 12 } } as const
  const header = faultHeader(new Fault('badRequest', 'too short', options))
  expect(header).toBe('badRequest; reason=passwordTooShort; field=password; length=12')
  expect(readFaultHeader(header)).toEqual({ code: 'badRequest', options })
})

test('a fault header with an unknown code is not parsed, and an unknown reason is left out', () => {
  expect(readFaultHeader('teapot; reason=hot')).toBeUndefined()
  expect(readFaultHeader('')).toBeUndefined()
  expect(readFaultHeader('badRequest; reason=hot')).toEqual({
    code: 'badRequest',
    options: { params: {} },
  })
})

test('parameters of a fault header that are no numbers are left out', () => {
  const header = 'badRequest; reason=tooDeep; levels=3; length; width=; size=big;'
  expect(readFaultHeader(header)?.options).toEqual({ reason: 'tooDeep', params: { levels: 3 } })
})
