/** A part of en.json that is loaded by itself (`messageParts` in ui/vite.config.ts). */
declare module '*/messages/en.json?settings' {
  export const settings: object
  export const activity: object
}
