/**
 * Every text of the public page, in English. A key is `group.name`; `{name}` is a placeholder;
 * a text with plural forms is selected by `{count}`.
 * A new text needs a line in each other language beside this file: a test names those that lack one.
 */
export const catalogue = {
  // A hidden link, the first of the page.
  'page.skip': 'Skip to the content',
  // The page of a path that is not found.
  'page.notFound': 'This page does not exist',

  'banner.operational': 'All systems operational',
  'banner.degraded.one': 'Degraded: {component}',
  'banner.degraded.some': 'Some systems are degraded',
  'banner.degraded.all': 'All systems are degraded',
  'banner.degraded.unnamed': 'We are experiencing problems',
  'banner.partial-outage.one': 'Partial outage: {component}',
  'banner.partial-outage.some': 'Partial outage of some systems',
  'banner.partial-outage.all': 'Partial outage of all systems',
  'banner.major-outage.one': 'Major outage: {component}',
  'banner.major-outage.some': 'Major outage of some systems',
  'banner.major-outage.all': 'All systems are down',
  'banner.maintenance.one': 'Under maintenance: {component}',
  'banner.maintenance.some': 'Some systems are under maintenance',
  'banner.maintenance.all': 'All systems are under maintenance',
  'banner.maintenance.unnamed': 'Maintenance is in progress',

  // States of components.
  'state.operational': 'Operational',
  'state.partially-degraded': 'Partially degraded',
  'state.degraded': 'Degraded',
  'state.partial-outage': 'Partial outage',
  'state.major-outage': 'Major outage',
  'state.maintenance': 'Maintenance',
  'state.none': 'No data',
  // States of notices.
  'state.investigating': 'Investigating',
  'state.identified': 'Identified',
  'state.recovering': 'Recovering',
  'state.resolved': 'Resolved',
  'state.false_alarm': 'False alarm',
  'state.scheduled': 'Scheduled',
  'state.cancelled': 'Cancelled',
  'state.underway': 'In progress',
  'state.complete': 'Complete',
  'state.closed': 'Closed',
  // Types of notices.
  'state.unplanned': 'Incident',
  'state.planned': 'Maintenance',
  'state.general': 'Announcement',

  'notice.affected': 'Affected components',
  'notice.started': 'Started {time}',
  'notice.ended': 'Ended {time}',
  'notice.published': 'Published {time}',
  'notice.duration': 'Duration: {duration}',
  'notice.durationSoFar': 'Duration so far: {duration}',
  'notice.nextUpdate': 'Next update by {time}',
  'notice.updates': 'Updates',
  'notice.noUpdates': 'No updates yet',
  'notice.noUpdateFor': 'No update for {duration}',
  'notice.edited': 'edited {time}',
  'notice.earlierText': 'Earlier text',
  'notice.earlierUpdates': { one: '{count} earlier update', other: '{count} earlier updates' },
  'notice.postmortem': 'Post-mortem',
  'notice.back': 'Back to the current status',
  'notice.present': 'Current notices',
  'notice.follow': 'Follow this notice',

  'components.title': 'Components',
  'components.none': 'No components yet',
  'components.affected': { one: '{count} of {total} affected', other: '{count} of {total} affected' },

  'history.title': 'History',
  'history.lastDays': { one: 'Last {count} day', other: 'Last {count} days' },
  'history.state': 'State',
  'history.basedOnNotices': 'Based on published notices',
  'history.sentence': '{period}: {days}',
  'history.allOperational': 'Operational on every day',
  'history.degradedDays': { one: '{count} day degraded', other: '{count} days degraded' },
  'history.partiallyDegradedDays': { one: '{count} day partially degraded', other: '{count} days partially degraded' },
  'history.maintenanceDays': { one: '{count} day with maintenance', other: '{count} days with maintenance' },
  'history.noDataDays': { one: '{count} day without data', other: '{count} days without data' },
  'history.component': 'Component',
  'history.allComponents': 'All components',
  'history.filter': 'Show',
  'history.previousMonth': 'Previous month',
  'history.nextMonth': 'Next month',
  'history.noNotices': 'No notices in this month',

  'uptime.share': '{share} uptime',
  'uptime.title': 'How uptime is calculated',
  'uptime.rule':
    'Uptime is the share of the last 90 days, or of the time since the component exists, without an outage by the published notices. A partial outage counts half. Degraded performance does not count, and time under maintenance is left out.',

  'maintenance.title': 'Upcoming maintenance',
  'maintenance.window': 'Window',
  'maintenance.duration': 'Planned duration: {duration}',
  'maintenance.calendar': 'Add to calendar',

  'general.title': 'Announcements',

  'past.title': 'Past notices',
  'past.quietDay': 'No incidents reported',
  'past.history': 'View history',

  // A list that is shown in part, or in pages.
  'list.more': { one: '{count} more notice', other: '{count} more notices' },
  'list.page': 'Page {page} of {total}',
  'list.previousPage': 'Previous page',
  'list.nextPage': 'Next page',

  'subscribe.title': 'Subscribe to updates',
  'subscribe.button': 'Subscribe',
  'subscribe.byEmail': 'By e-mail',
  'subscribe.bySms': 'By SMS',
  'subscribe.email': 'E-mail address',
  'subscribe.phone': 'Phone number',
  'subscribe.phoneHint': 'With the country code, as in {example}',
  'subscribe.kinds': 'What do you want to hear of?',
  'kinds.unplanned': 'Incidents',
  'kinds.planned': 'Maintenance',
  'kinds.general': 'Announcements',
  'subscribe.componentsHint':
    'Choose none to hear of all, including those that come later. A group stands for all of its parts.',
  'subscribe.parts': 'Parts of {name}',
  // The honeypot: hidden from people, filled in by bots.
  'subscribe.leaveEmpty': 'Leave this field empty',
  'subscribe.checkMail': 'Check your inbox',
  'subscribe.mailSent':
    'A mail with a link is on its way to {address}. Open the link to continue; until then nothing else is sent.',
  'subscribe.checkPhone': 'Enter the code',
  'subscribe.codeSent': 'A code of 6 digits is on its way to {address}. It is valid for 10 minutes.',
  'subscribe.code': 'Code',
  'subscribe.notThere': 'Nothing has come? Look into your spam folder, or ask again after a minute.',
  'subscribe.confirmTitle': 'Confirm your subscription',
  'subscribe.confirmText': '{address} wants to receive updates of {page}.',
  'subscribe.confirm': 'Confirm',
  'subscribe.confirmed': 'You are subscribed',
  'subscribe.confirmedText': '{address} receives updates of {page}.',
  'subscribe.mailSubject': 'Confirm your subscription to {page}',
  'subscribe.mailText': 'Confirm your e-mail address to get updates from {page}. The link is valid for 7 days.',
  'subscribe.mailIgnore': 'Didn’t ask for this? Ignore this e-mail, and you will get no other.',
  'subscribe.smsText': '{code} is your code for {page}. It is valid for 10 minutes.',
  'subscribe.webhookContact': 'We write to this address if the webhook stops working.',
  'subscribe.linkPosted': 'A message with a link to confirm is on its way to {address}.',
  'subscribe.webhookSecret': 'Verify what you receive by this secret. It is not shown again:',
  'subscribe.webhookFailed':
    '{address} did not accept updates of {page}. Nothing is sent there until you save your subscription again.',

  'preferences.title': 'Your subscription',
  'preferences.newAddress': 'New e-mail address',
  'preferences.change': 'Change or end a subscription',
  'preferences.askText': 'We send you a message by which you can change your subscription.',
  'preferences.ask': 'Send',
  'preferences.sent': 'If {address} is subscribed, a message is on its way there.',
  'preferences.save': 'Save',
  'preferences.saved': 'Your choices are saved',
  'preferences.mailText':
    'This address receives updates of {page}. With this link you can change or end the subscription; it works for 1 hour.',

  'unsubscribe.text': '{address} will receive no more updates of {page}.',
  'unsubscribe.done': 'You are unsubscribed',
  'unsubscribe.doneText': '{address} receives no more updates of {page}.',

  // A private page, as somebody sees it who may not see what is on it.
  'private.title': 'This page is private',
  'private.password': 'Password',
  'private.open': 'Open',
  'private.emailText': 'Enter your e-mail address. If it may see this page, we send it a code.',
  'private.codeSent':
    'If {address} may see this page, a code of 8 digits is on its way there. It is valid for 10 minutes.',
  'private.members': 'This page is for people with a role on it.',
  'private.signIn': 'Sign in',
  'private.feeds': 'Your feed addresses',
  'private.feedsText': 'They contain a key of your own. Anybody who has it sees this page, so keep it secret.',

  // Errors of a form or a request.
  'problem.title': 'Please check your entries',
  'problem.email': 'Enter an e-mail address, as in {example}',
  'problem.phone': 'Enter a phone number with its country code, as in {example}',
  'problem.url': 'Enter an address that begins with https://',
  'problem.kinds': 'Choose at least one',
  'problem.components': 'One of the components is no longer there. Choose again',
  'problem.password': 'This password is wrong',
  'problem.code': 'This code is wrong or no longer valid',
  'problem.link': 'This link is not valid',
  'problem.linkText': 'It has expired or was used already. You can ask for a new one.',
  'problem.tooOften': 'Too many requests',
  'problem.tooOftenText': 'Try again later.',
  'problem.away': 'This is not possible at the moment',
  'problem.awayText': 'Nothing was changed. Try again in a few minutes.',

  'footer.feeds': 'Feeds',
  'footer.calendar': 'Calendar',
  'footer.privacy': 'Privacy policy',
  'footer.terms': 'Terms of use',
  'footer.zone': 'Times are in the time zone {zone}',
  'footer.language': 'Language: {language}',
  'footer.dark': 'Dark mode',
  'footer.updated': 'Last updated {time}',
  'footer.stale': 'This page could not be brought up to date since {time}',

  'support.title': 'Support',

  'feed.title': '{page}: notices',
  'feed.calendarTitle': '{page}: maintenance',

  // Messages: e-mail, chat, SMS.
  'mail.reminder': 'Reminder',
  'mail.updateDue': 'Update due',
  'mail.correction': 'Correction',
  'mail.correctionText': 'This message corrects an earlier one.',
  'mail.view': 'View this notice',
  'mail.earlier': 'Earlier updates',
  'mail.why': 'You receive this because you subscribed to updates from {page}.',
  'mail.preferences': 'Change your preferences',
  'mail.unsubscribe': 'Unsubscribe',
  'mail.testSubject': 'Test message',
  'mail.testText': 'This is a test: what {page} publishes arrives here.',

  'badge.title': '{name}: {state}',
  'widget.close': 'Close',

  // llms.txt.
  'llms.about': 'What {page} publishes about its state, in forms for programs.',
  'llms.markdown': 'The current state as Markdown',
  'llms.json': 'The current state as JSON',

  // Rounded distances in time.
  'distance.lessThanAMinute': 'less than a minute',
  'distance.minutes': { one: '{count} minute', other: '{count} minutes' },
  'distance.aboutHours': { one: 'about {count} hour', other: 'about {count} hours' },
  'distance.days': { one: '{count} day', other: '{count} days' },
  'distance.aboutMonths': { one: 'about {count} month', other: 'about {count} months' },
  'distance.months': { one: '{count} month', other: '{count} months' },
  'distance.aboutYears': { one: 'about {count} year', other: 'about {count} years' },
  'distance.overYears': { one: 'over {count} year', other: 'over {count} years' },
  'distance.almostYears': { one: 'almost {count} year', other: 'almost {count} years' },

  // How a date, a time and a zone are combined.
  'time.clock': '{clock} {zone}',
  'time.yours': 'Your time',
  'time.moment': '{date}, {time}',
  'time.range': '{begin} – {end}',
  'label.value': '{label}: {value}',
} as const;
