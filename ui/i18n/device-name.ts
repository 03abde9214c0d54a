/** The name of a device in a list: `Chrome on Linux`. */
import { deviceOf } from '#ui/lib/page/device.ts'
import { t } from './i18n.ts'

/** @param agent the user agent string of its browser */
export function deviceName(agent: string): string {
  const { browser, system } = deviceOf(agent)
  return browser && system
    ? t('settings.sessions.device', { browser, system })
    : browser || system || t('settings.sessions.unknownDevice')
}
