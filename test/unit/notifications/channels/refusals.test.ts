import { describe, expect, test } from '@jest/globals';
import {
  classifyHttpStatus,
  classifySmsResponse,
  classifySmtpAnswer,
  type RefusalKind,
  type SmtpStage,
} from '../../../../src/notifications/channels/refusals.js';
import {
  collectedAnswers,
  furtherAnswers,
  providerAnswers,
  relayAnswers,
  sisimaiAnswers,
} from '../../../support/smtp-answers.js';

describe('an answer of a mail server', () => {
  test.each([...collectedAnswers, ...furtherAnswers, ...sisimaiAnswers, ...providerAnswers, ...relayAnswers])(
    'at %s: %s',
    (stage, answer, kind) => {
      expect(classifySmtpAnswer(stage, answer)).toBe(kind);
    },
  );

  const answers: [answer: string, stage: SmtpStage, kind: RefusalKind][] = [
    ['550 exceeded hour limit', 'RCPT TO', 'sender'],
    ['550 Domain example.com has exceeded the max emails per hour (100/100 (100%)) allowed.', 'RCPT TO', 'sender'],
    ['550 relaying denied for <ada@acme.example>', 'RCPT TO', 'sender'],
    ['550 5.1.8 <status@example.com>: Sender address rejected: Domain not found', 'RCPT TO', 'sender'],
    ['550 5.5.2 <status>: Sender address rejected: need fully-qualified address', 'RCPT TO', 'sender'],
    ['550 Sender frequency limited.', 'RCPT TO', 'rate'],
    ["550 SPF-check failed: example.com doesn't allow sending mails from 192.0.2.1", 'RCPT TO', 'sender'],
    ['550 Suspected spam sender.', 'RCPT TO', 'sender'],
    ['550 Blocked', 'RCPT TO', 'sender'],
    ['554 5.7.1 <ada@acme.example>: Relay access denied', 'RCPT TO', 'sender'],
    ['550 5.4.5 Daily user sending quota exceeded. abc - gsmtp', 'DATA', 'sender'],
    ["550 5.1.90 Your message can't be sent because you've reached your daily limit", 'DATA', 'sender'],
    ['550 5.1.8 Access denied, bad outbound sender', 'DATA', 'sender'],
    ['554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', 'DATA', 'sender'],
    ['554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; WASCL UserAction verdict is', 'DATA', 'sender'],
    ['554 Message rejected: Email address is not verified.', 'DATA', 'sender'],
    ['554 Sending paused for this account. For more information, check the inbox', 'DATA', 'sender'],
    ['550 5.1.1 User Unknown', 'RCPT TO', 'gone'],
    ['550 5.2.1 The email account that you tried to reach is disabled.', 'RCPT TO', 'gone'],
    ['432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', 'DATA', 'rate'],
    ['535 5.7.8 Username and Password not accepted', 'connection', 'sender'],
    ['550 5.1.0 <status@example.com>: User unknown', 'MAIL FROM', 'sender'],
    ['550 5.1.0 <ada@acme.example>: User unknown', 'RCPT TO', 'gone'],
  ];
  test.each(answers)('%s, at %s', (answer, stage, kind) => expect(classifySmtpAnswer(stage, answer)).toBe(kind));

  test.each(['', ' 5.0.0', ' 5.1.0', ' 5.1.1', ' 5.1.2', ' 5.1.3', ' 5.2.0', ' 5.2.1'])(
    'with the code%s is about the sender before there is a recipient',
    code => {
      for (const text of ['User unknown', 'No such user', 'Account disabled', 'Mailbox unavailable'])
        for (const stage of ['connection', 'MAIL FROM'] as const)
          expect(classifySmtpAnswer(stage, `550${code} ${text}`)).toBe('sender');
    },
  );

  test.each(['5.1.7', '5.1.8', '5.1.90', '5.2.2', '5.3.0', '5.4.5', '5.4.6', '5.5.0', '5.7.1'])(
    'with the code %s never says that nobody has the address',
    code => {
      expect(classifySmtpAnswer('RCPT TO', `550 ${code} No such user`)).not.toBe('gone');
      expect(classifySmtpAnswer('RCPT TO', `550 No such user (#${code})`)).not.toBe('gone');
    },
  );
});

test.each([
  [429, 'rate'],
  [401, 'sender'],
  [402, 'sender'],
  [403, 'sender'],
  [404, 'gone'],
  [410, 'gone'],
  [408, 'later'],
  [503, 'later'],
  [302, 'message'],
  [400, 'message'],
])('the status %i of a web server', (status, kind) => expect(classifyHttpStatus(status)).toBe(kind));

test.each([
  [400, 21_608, '', 'sender'],
  [402, 0, 'Insufficient balance', 'sender'],
  [400, 0, 'Insufficient balance', 'sender'],
  [400, 30_454, 'Daily cap', 'sender'],
  [400, 63_038, '', 'sender'],
  [429, 20_429, '', 'rate'],
  [429, 0, '', 'rate'],
  [400, 21_211, "The 'To' number is not a valid phone number", 'message'],
  [400, 21_610, '', 'message'],
  [404, 0, '', 'sender'],
  [410, 0, '', 'message'],
  [500, 0, '', 'later'],
])('the response %i %i %s of an SMS gateway', (status, code, message, kind) =>
  expect(classifySmsResponse(status, code, message)).toBe(kind),
);
