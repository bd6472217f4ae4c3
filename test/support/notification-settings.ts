/** Imported before anything that reads the settings: mail and SMS are configured for the service, and channels of pages may lead to the receivers of tests. */
Object.assign(process.env, {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'status@example.com',
  SMS_URL: 'http://AC1:sms-secret@127.0.0.1:1',
  SMS_FROM: '+15005550006',
  ALLOW_PRIVATE_TARGETS: 'true',
});
