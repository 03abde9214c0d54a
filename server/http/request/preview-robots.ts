/**
 * Services that request a link when a user posts it in a chat, to show a preview of it. Such a request is no visit, so it
 * is not counted. The services name themselves in `User-Agent`; one that does not is counted as a visitor.
 */

/** A text in `User-Agent`, in lower case, and the programs that send it. */
const ROBOTS: readonly [text: string, programs: string][] = [
  ['facebookexternalhit', 'Facebook, Messenger, Instagram, iMessage, LINE'],
  ['whatsapp/', 'WhatsApp, Signal'],
  ['telegrambot', 'Telegram'],
  ['skypeuripreview', 'Teams, Skype'],
  ['slackbot', 'Slack'],
  ['discordbot', 'Discord'],
  ['twitterbot', 'X'],
  ['linkedinbot', 'LinkedIn'],
  ['mastodon/', 'Mastodon'],
  ['synapse (bot', 'Matrix'],
  ['mattermost-bot', 'Mattermost'],
  ['rocket.chat', 'Rocket.Chat'],
  ['zulipurlpreview', 'Zulip'],
  ['viber/', 'Viber'],
  ['vkshare', 'VK'],
  ['redditbot', 'Reddit'],
  ['embedly', 'applications with the service Embedly'],
  ['iframely', 'applications with the service Iframely'],
]

/** Whether a request comes from a service that makes previews of links. */
export function isPreviewRobot(userAgent: string | undefined): boolean {
  const agent = userAgent?.toLowerCase() ?? ''
  return ROBOTS.some(([text]) => agent.includes(text))
}
