import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { plainText, readExif } from '#server/files/media/exif.ts'
import { exifBlock } from '../../../support/files/exif.ts'

test('camera, lens, exposure, position and time with its zone are read from EXIF in both byte orders', () => {
  const fields = {
    main: { 271: 'FUJIFILM', 272: 'X-T5' },
    own: {
      36867: '2026:05:01 12:30:59',
      36881: '+02:00',
      33434: [[1, 250]],
      33437: [[28, 10]],
      34855: 400,
      37386: [[35, 1]],
      42036: 'XF35mmF1.4 R',
    },
    gps: {
      1: 'N',
      2: [
        [68, 1],
        [5, 1],
        [30, 1],
      ],
      3: 'W',
      4: [
        [13, 1],
        [30, 1],
        [0, 1],
      ],
    },
  } as const
  for (const order of ['II', 'MM'] as const) {
    expect(readExif(exifBlock(fields, order))).toEqual({
      taken: '2026-05-01T12:30:59+02:00',
      camera: 'FUJIFILM X-T5',
      lens: 'XF35mmF1.4 R',
      exposure: { seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35 },
      position: { latitude: 68.091667, longitude: -13.5 },
    })
  }
})

test('the name of the camera does not repeat its maker, and EXIF text is one line of limited length', () => {
  const told = readExif(exifBlock({ main: { 271: 'NIKON CORPORATION', 272: 'NIKON D750' } }))
  expect(told.camera).toBe('NIKON D750')
  const lens = `<img src=x onerror=alert(1)>\u202e\u0007${'x'.repeat(500)}`
  const shown = readExif(exifBlock({ main: {}, own: { 42036: lens } })).lens
  expect(shown).toHaveLength(100)
  expect(shown).toStartWith('<img src=x onerror=alert(1)> xxx')
  expect(plainText(' \u200b ')).toBeUndefined()
})

test('invalid EXIF values are left out', () => {
  const none = exifBlock({
    main: { 272: '' },
    own: {
      36867: '0000:00:00 00:00:00',
      33434: [[1, 0]],
      33437: [[0, 0]],
      34855: 0,
      37386: [[4_000_000_000, 1]],
    },
    gps: {
      1: 'N',
      2: [
        [91, 1],
        [0, 1],
        [0, 1],
      ],
      3: 'E',
      4: [
        [1, 1],
        [0, 1],
        [0, 1],
      ],
    },
  })
  expect(readExif(none)).toEqual({})
  const nowhere = { 1: 'N', 2: [[0, 1]], 3: 'E', 4: [[0, 1]] } as const
  expect(readExif(exifBlock({ main: {}, gps: nowhere }))).toEqual({})
  expect(readExif(exifBlock({ main: {}, own: { 36867: '2026:02:30 10:00:00' } }))).toEqual({})
})

test('no damaged or random EXIF block causes an error', () => {
  const whole = exifBlock({ main: { 272: 'X' }, own: { 36867: '2026:05:01 12:30:59' } })
  for (let length = 0; length < whole.length; length += 1) readExif(whole.subarray(0, length))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, at) => {
      const block = new Uint8Array(whole)
      block.set(bytes.subarray(0, Math.max(0, block.length - at)), Math.min(at, block.length))
      readExif(block)
      readExif(bytes)
    }),
    { numRuns: 300 },
  )
})
