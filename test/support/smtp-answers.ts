import type { RefusalKind, SmtpStage } from '../../src/notifications/channels/refusals.js';

type Answer = [stage: SmtpStage, answer: string, kind: RefusalKind];

/**
 * Answers of real mail servers, collected before the table of refusals was written, and what a postmaster takes them
 * for. Addresses, hosts and identifiers are replaced.
 */
export const collectedAnswers: Answer[] = [
  // Gmail
  [
    'RCPT TO',
    "550 5.1.1 The email account that you tried to reach does not exist. Please try 5.1.1 double-checking the recipient's email address for typos or 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser x1 - gsmtp",
    'gone',
  ],
  [
    'RCPT TO',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. For more information, please visit https://support.google.com/mail/?p=ReceivingRatePerm x1 - gsmtp',
    'later',
  ],
  [
    'RCPT TO',
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. Please resend your message at a later time.',
    'later',
  ],
  [
    'DATA',
    "550 5.7.1 Unauthenticated email from example.com is not accepted due to domain's DMARC policy. Please contact the administrator of example.com domain if this was a legitimate mail. - gsmtp",
    'sender',
  ],
  [
    'DATA',
    '550 5.7.1 [192.0.2.1] Our system has detected that this message is likely suspicious due to the very low reputation of the sending domain. To best protect our users from spam, the message has been blocked. - gsmtp',
    'sender',
  ],
  [
    'DATA',
    '421 4.7.0 [192.0.2.1 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited.',
    'rate',
  ],
  // Yahoo
  [
    'DATA',
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [-9] - mta1.mail.yahoo.com",
    'gone',
  ],
  [
    'MAIL FROM',
    '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
    'rate',
  ],
  [
    'DATA',
    '554 5.7.9 Message not accepted for policy reasons. See https://help.yahoo.com/kb/postmaster/SLN7253.html',
    'sender',
  ],
  // Outlook.com and Exchange Online
  [
    'RCPT TO',
    '550 5.5.0 Requested action not taken: mailbox unavailable. [x.eop-nam12.prod.protection.outlook.com]',
    'message',
  ],
  [
    'RCPT TO',
    '550 5.7.1 Service unavailable, MailFrom domain is listed in Spamhaus. To request removal from this list see https://www.spamhaus.org/query/lookup/ (S8002)',
    'sender',
  ],
  [
    'MAIL FROM',
    '451 4.7.651 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S3114)',
    'rate',
  ],
  [
    'RCPT TO',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [x.eop-fra01.prod.protection.outlook.com]',
    'message',
  ],
  [
    'RCPT TO',
    '554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour. For more information go to http://go.microsoft.com/fwlink/?LinkId=526653.',
    'later',
  ],
  // Comcast
  [
    'DATA',
    '550 5.2.0 Message rejected due to DMARC. Please see http://postmaster.comcast.net/smtp-error-codes.php#DM000001',
    'sender',
  ],
  ['RCPT TO', '550 5.1.1 Not our Customer', 'gone'],
  // Mail.ru and Yandex
  [
    'RCPT TO',
    '550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.ru is unavailable: account is disabled',
    'gone',
  ],
  [
    'DATA',
    '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=x or report details to abuse@corp.mail.ru. Error code: B5322E. ID: x',
    'message',
  ],
  ['RCPT TO', '550 5.7.1 No such user!', 'message'],
  // Mimecast
  [
    'RCPT TO',
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [x]',
    'sender',
  ],
  [
    'RCPT TO',
    '451 Internal resource temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451 [x]',
    'later',
  ],
  // Proofpoint
  [
    'RCPT TO',
    '550 5.7.1 <ada@acme.example>: Recipient address rejected: User email address is marked as invalid.',
    'message',
  ],
  // Barracuda
  ['RCPT TO', '550 cuda_nsu 5.1.1 <ada@acme.example>... User unknown', 'gone'],
  ['RCPT TO', '451 4.7.1 <ada@acme.example>: Recipient address rejected: Greylisted for 5 minutes', 'later'],
  ['DATA', '554 rejecting banned content', 'message'],
  // Symantec
  ['RCPT TO', '550 Invalid recipient <ada@acme.example> (#5.1.1)', 'gone'],
  [
    'RCPT TO',
    '553 you are trying to use me [server-1.messagelabs.com] as a relay, but I have not been configured to let you [192.0.2.1, example.com] do this. Please visit www.symanteccloud.com/troubleshooting for more details about this error message and instructions to resolve this issue. (#5.7.1)',
    'sender',
  ],
  // Free
  [
    'RCPT TO',
    '554 5.2.2 <ada@free.fr>: Recipient address rejected: Quota exceeded (mailbox for user is full)',
    'later',
  ],
  // Amazon SES
  ['DATA', '454 Throttling failure: Daily message quota exceeded', 'sender'],
  ['DATA', '454 Throttling failure: Maximum sending rate exceeded', 'rate'],
  [
    'DATA',
    '554 Access denied: User arn:aws:iam::1:user/x is not authorized to perform ses:SendRawEmail on resource arn:aws:ses:x',
    'sender',
  ],
  ['DATA', '552 Message is too long.', 'message'],
  // SendGrid
  [
    'DATA',
    '550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved. Visit https://sendgrid.com/docs/for-developers/sending-email/sender-identity/ to see the Sender Identity requirements',
    'sender',
  ],
  // Zoho
  ['DATA', '550 5.4.6 Unusual sending activity detected. Please try after sometime.', 'sender'],
  // GMX: a rate limit of the account, by the words of its users
  ['RCPT TO', '550 Requested action not taken: mailbox unavailable Failure sending mail. Try again later.', 'sender'],
  [
    'DATA',
    '554 Transaction failed Reject due to policy restrictions. For explanation visit https://postmaster.gmx.net/de/case?c=r0735&i=ip&v=192.0.2.1',
    'sender',
  ],
  // Exim, qmail, Rackspace, a host of listmonk's
  [
    'RCPT TO',
    '550 Verification failed for <status@example.com> Called: 192.0.2.1 Sent: RCPT TO:<status@example.com> Response: 550 5.1.1 User unknown Sender verify failed',
    'sender',
  ],
  ['RCPT TO', '550 sorry, no mailbox here by that name. (#5.1.1)', 'gone'],
  ['RCPT TO', '450 4.7.1 Client host [192.0.2.1] has no PTR record (G1F)', 'sender'],
  ['RCPT TO', '450 Too many recipient attempts', 'rate'],
];

/** A second sample, collected after the table was written. */
export const furtherAnswers: Answer[] = [
  ['RCPT TO', '450 User is receiving mail too quickly', 'later'],
  ['RCPT TO', '450 4.7.3 Organization queue quota exceeded. [outlook.com]', 'later'],
  ['RCPT TO', '450 4.2.1 The recipient has exceeded message rate limit. Try again later.', 'later'],
  ['RCPT TO', '450 4.1.8 Sender address rejected: Domain not found', 'sender'],
  ['RCPT TO', '450 4.2.1 Please try again later. (#id-5.9.4)', 'later'],
  ['RCPT TO', '450 4.2.0 <ada@comcast.net> - Recipient temporarily unavailable', 'later'],
  [
    'RCPT TO',
    '450 cuda_nsu 4.7.1 <ada@acme.example>: Recipient address rejected: Policy Rejection- Abuse. Go away.',
    'sender',
  ],
  [
    'RCPT TO',
    '450 4.2.0 <ada@acme.example>: Recipient address rejected: acme.example greylisted for 60 seconds by ZEROSPAM',
    'later',
  ],
  ['DATA', '421 Max message per connection reached, closing transmission channel', 'rate'],
  [
    'MAIL FROM',
    '421 4.3.2 The maximum number of concurrent connections per resource forest has exceeded a limit, closing transmission channel.',
    'rate',
  ],
  [
    'RCPT TO',
    '421 4.1.1 <ada@acme.example>: Recipient address rejected: unverified address: Address verification in progress',
    'later',
  ],
  ['RCPT TO', '422 License Expired', 'later'],
  [
    'RCPT TO',
    '552 5.2.2 The email account that you tried to reach is over quota. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp',
    'later',
  ],
  ['DATA', '552 5.7.1 virus [name] detected by Zoho Mail', 'message'],
  ['RCPT TO', '552 1 Requested mail action aborted, mailbox not found', 'gone'],
  ['RCPT TO', '552 5.2.2 Mailbox size limit exceeded', 'later'],
  ['RCPT TO', '552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]', 'later'],
  ['RCPT TO', '552 5.2.2 user quota exceeded (UserSearch)', 'later'],
  ['RCPT TO', '552 5.1.1 <ada@comcast.net> recipient rejected - extended quota violation', 'later'],
  ['RCPT TO', '552 Requested mail action aborted: exceeded storage allocation Quota exceeded.', 'later'],
  [
    'RCPT TO',
    '550 5.1.1 <ada@acme.example>: Recipient address rejected: User unknown in relay recipient table',
    'gone',
  ],
  ['RCPT TO', '550 5.2.1 <ada@prodigy.net>... Addressee unknown, relay=[192.0.2.1]', 'gone'],
  [
    'RCPT TO',
    '550 5.1.1 - This is not a valid email address. Please verify that you have the correct email address for your recipient.',
    'gone',
  ],
  ['RCPT TO', '553 5.1.2 The recipient address <.@gmail.com> is not a valid RFC-5321 address. - gsmtp', 'gone'],
  ['DATA', '550 rejecting spoofed message', 'sender'],
];

/** A third one, from the tests of a parser of bounces; collected after the table was corrected by the second. */
export const sisimaiAnswers: Answer[] = [
  ['MAIL FROM', "550 5.1.0 192.0.2.222 is not allowed to send from <example.net> per it's SPF Record", 'sender'],
  [
    'MAIL FROM',
    '550 Connections from mx.example.jp (192.0.2.2) are being rejected due to a poor email reputation score.',
    'sender',
  ],
  ['RCPT TO', '550 Access from ip address 192.0.2.1 blocked.', 'sender'],
  ['RCPT TO', '554 INVALID IP FOR SENDING MAIL OF DOMAIN amazonses.com [RCPT_TO]', 'sender'],
  [
    'RCPT TO',
    '551 Server access forbidden by your IP 192.0.2.2 websites spamcop.net, mailspike.net for removal',
    'sender',
  ],
  ['RCPT TO', '550 blocked using dnsbl.sorbs.net', 'sender'],
  ['DATA', '550 5.6.0 the headers in this message contain improperly-formatted binary content', 'message'],
  ['MAIL FROM', '538 5.7.10 STARTTLS is required to send mail', 'sender'],
  ['RCPT TO', '550 You have been blocked by the recipient', 'message'],
  ['RCPT TO', '550 5.1.6 address neko@cat.cat has been replaced by neko@example.jp', 'gone'],
  ['RCPT TO', '550 5.2.1 Host Unknown', 'gone'],
  [
    'DATA',
    '554 The mail could not be delivered to the recipient because the domain is not reachable. Please check the domain and try again (-1:308:-2)',
    'message',
  ],
  ['RCPT TO', '450 4.2.2 Mailbox full', 'later'],
  ['RCPT TO', '452 Insufficient disk space; try again later', 'later'],
  ['RCPT TO', '550 5.2.2 <kijitora@example.co.jp>... Mailbox Full', 'later'],
  ['DATA', '552 5.2.3 Message size exceeds fixed maximum message size (10485760)', 'message'],
  ['DATA', '554 5.4.6 Hop count exceeded - possible mail loop', 'message'],
  ['RCPT TO', '550 5.0.0 Relaying Denied', 'sender'],
  ['RCPT TO', '550 relay not permitted', 'sender'],
  ['RCPT TO', '550 5.7.1 Unable to relay for neko@example.com', 'sender'],
  ['RCPT TO', '550 5.1.2 <nekochan@libsisimai.org>... Host unknown (Name server: .: host not found)', 'gone'],
  [
    'DATA',
    '550 5.7.1 This message is not RFC 5322 compliant. There are multiple Subject headers. Please visit https://support.google.com/mail/?p=RfcMessageNonCompliant',
    'message',
  ],
  ['DATA', "554 Transaction failed: Duplicate header 'DKIM-Signature'.", 'message'],
  ['DATA', '570 5.7.7 Email not accepted for policy reasons', 'sender'],
  ['RCPT TO', '550 Denied by policy', 'sender'],
  ['RCPT TO', '550 5.1.8 Domain of sender address example.org does not exist', 'sender'],
  ['RCPT TO', '550 5.7.25 [192.0.2.25] The IP address sending this message does not have a PTR record setup', 'sender'],
  ['RCPT TO', '571 No PTR Record found. Reverse DNS required:', 'sender'],
  [
    'RCPT TO',
    '550 5.7.1 Connections not accepted from servers without a valid sender domain. Fix reverse DNS for 203.0.113.2',
    'sender',
  ],
  ['RCPT TO', '570 5.7.0 Authentication failure', 'sender'],
  ['DATA', '570 5.7.7 Spam Detected', 'message'],
  [
    'DATA',
    '554 5.7.1 Mail Score (59) over MessageScoringUpperLimit (50) - send error reports to postmaster@example.net',
    'message',
  ],
  ['RCPT TO', '451 4.7.1 <smtp.example.jp[192.0.2.3]>: Client host rejected: Please try again slower', 'rate'],
  ['RCPT TO', '550 5.0.0 Recipient suspend the service', 'message'],
  [
    'RCPT TO',
    '550 5.7.1 <kijitora@example.com>: Recipient address rejected: User kijitora@example.com temporary locked. Please try again later!',
    'later',
  ],
  ['DATA', '554 5.3.5 Local configuration error', 'sender'],
  ['MAIL FROM', '452 4.3.2 Connection rate limit exceeded.', 'rate'],
  ['RCPT TO', '550 kijitora@example.com... No such user', 'gone'],
  [
    'RCPT TO',
    '550 5.1.1 <kijitora@example.jp>: Recipient address rejected: User unknown in local recipient table',
    'gone',
  ],
  ['DATA', '550 5.7.9 The message was rejected because it contains prohibited virus or spam content', 'message'],
];

/** A fourth one, of mail providers, filters and relays; each was judged before the table was run on it. */
export const providerAnswers: Answer[] = [
  // The address
  [
    'DATA',
    '550 Message was not accepted -- invalid mailbox.  Local mailbox ada@mail.ru is unavailable: user not found',
    'gone',
  ],
  [
    'DATA',
    '554 delivery error: dd Sorry your message to ada@yahoo.com cannot be delivered. This account has been disabled or discontinued [#102]. - mta1.mail.ac4.yahoo.com',
    'gone',
  ],
  ['RCPT TO', '550 "ada@freesurf.fr" is not a known user', 'gone'],
  ['RCPT TO', '553 Invalid recipient ada@acme.example (Mode: normal)', 'gone'],
  ['RCPT TO', '550 <ada@rambler.ru>: Recipient address rejected: Account deleted by user', 'gone'],
  [
    'DATA',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@acme.example not found by SMTP address lookup',
    'gone',
  ],
  ['RCPT TO', '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]', 'gone'],
  ['RCPT TO', '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [x]', 'gone'],
  // The recipient, for another reason
  ['RCPT TO', '550 #5.1.0 Address rejected.', 'message'],
  ['RCPT TO', '550 Mail is rejected by recipients', 'message'],
  ['RCPT TO', '554 5.7.1 <ada@acme.example>: Recipient address rejected: BLOCK-SEND-ER.', 'message'],
  [
    'DATA',
    '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
    'message',
  ],
  [
    'DATA',
    "550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to the recipient because the sender isn't on the recipient's list of senders to accept mail from",
    'message',
  ],
  [
    'DATA',
    '550 5.7.520 Access denied, Your organization does not allow external forwarding. Please contact your administrator for further assistance. AS(7555)',
    'message',
  ],
  [
    'DATA',
    '554 5.7.1 The recipient definitively does not want your mail. It will not be delivered but analyzed again.',
    'message',
  ],
  // The content
  ['DATA', '550 5.7.1 Blocked by SpamAssassin', 'message'],
  ['DATA', '550 5.7.1 Message content rejected, UBE, id=00000-00-000', 'message'],
  ['DATA', '550 Mail content denied. http://service.exmail.qq.com/cgi-bin/help?subtype=1', 'message'],
  ['DATA', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient', 'message'],
  ['DATA', '552 5.7.0 This message was blocked because its content presents a potential security issue.', 'message'],
  // The recipient, for now
  [
    'RCPT TO',
    "452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp x1 - gsmtp",
    'later',
  ],
  [
    'RCPT TO',
    "450 4.4.1 ada@acme.example: The recipient's server was temporarily unavailable to accept your message (G6)",
    'later',
  ],
  [
    'DATA',
    '451 4.5.0 id=11249-03 - Temporary MTA failure on relaying, From MTA() during fwd-connect (Negative greeting: at (eval 134) line 479.): id=11249-03',
    'later',
  ],
  ['MAIL FROM', '452 4.3.1 Insufficient system storage', 'later'],
  // The rate
  ['connection', '421 Trop de connexions, veuillez verifier votre configuration. OFR004_104 [104]', 'rate'],
  ['RCPT TO', '550 Connection frequency limited', 'rate'],
  ['RCPT TO', '452 4.5.3 Error: too many recipients', 'rate'],
  // The sender, its account or its server
  ['RCPT TO', '550 5.2.1 Mailbox unavailable. This server does not accept mails from this sender address', 'sender'],
  ['DATA', '550 message sending for this account is disabled', 'sender'],
  ['DATA', "550 Sender's policy prohibits this message: Reject", 'sender'],
  ['DATA', '550 Domain may not exist or DNS check failed [MAn2== IP: 192.0.2.1].', 'sender'],
  ['MAIL FROM', '553 mybox.example.net does not exist', 'sender'],
  [
    'DATA',
    '554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    'sender',
  ],
  [
    'DATA',
    "550 5.7.515 Access denied, sending domain example.com doesn't meet the required authentication level.",
    'sender',
  ],
  ['DATA', '550 5.7.501 Service unavailable. Access denied, spam abuse detected', 'sender'],
  [
    'MAIL FROM',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    'sender',
  ],
  [
    'DATA',
    '421 4.7.26 Your email has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.',
    'sender',
  ],
  [
    'DATA',
    "421 4.7.29 Your email has been rate limited because this message wasn't sent over a TLS connection. Gmail requires all bulk email senders to use TLS/SSL.",
    'sender',
  ],
  ['RCPT TO', '550 "JunkMail rejected - mail.example.com [192.0.2.1]:34032 is in an RBL, see', 'sender'],
  [
    'MAIL FROM',
    '553 5.3.0 alpd681 DNSBL:RBL 521< 192.0.2.1 >_is_blocked.For assistance forward this error to abuse_rbl@abuse-att.net',
    'sender',
  ],
  ['RCPT TO', '550 ip in prison', 'sender'],
  ['MAIL FROM', '451 Authentication failed: Maximum credits exceeded', 'sender'],
  [
    'DATA',
    '550 Domain sandbox1.mailgun.org is not allowed to send: Sandbox subdomains are for test purposes only. Please add your own domain or add the address to authorized recipients in Account Settings.',
    'sender',
  ],
  ['MAIL FROM', '502 5.7.0 Your SMTP account is not yet activated. Please contact us to request activation', 'sender'],
  ['DATA', '551 5.7.1 Not authorised to send from this header address', 'sender'],
  [
    'DATA',
    '554 5.2.252 SendAsDenied; robot@example.com not allowed to send as status@example.com; STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied',
    'sender',
  ],
  ['MAIL FROM', '553 5.7.1 Sender address rejected: not owned by auth user.', 'sender'],
  ['MAIL FROM', '550 not local sender over smtp', 'sender'],
];

/** A fifth one, of providers and relays in several languages; each was judged before the table was run on it. */
export const relayAnswers: Answer[] = [
  // The address
  ['RCPT TO', '553 Invalid/inactive user.', 'gone'],
  ['RCPT TO', '550 Unknown local part ada in <ada@web.example>', 'gone'],
  ['RCPT TO', '550 <ada@acme.example>: Recipient address rejected: Account Closed', 'gone'],
  ['RCPT TO', '550 5.2.0 No such mailbox', 'gone'],
  ['RCPT TO', '550 User not found: ada@163.example', 'gone'],
  ['RCPT TO', '550 Unknown user ada@docomo.example', 'gone'],
  ['RCPT TO', '501 5.1.3 Bad recipient address syntax', 'gone'],
  ['RCPT TO', '550 5.1.2 Bad destination host DNS Hard Error looking up acme.example (MX): NXDomain', 'gone'],
  ['RCPT TO', '556 5.1.10 Domain acme.example does not accept mail (nullMX)', 'gone'],
  // The content, or the recipient for another reason
  ['DATA', '521 5.2.1 :  AOL will not accept delivery of this message.', 'message'],
  ['DATA', '571 5.7.1 message classified as spam (Nachricht als Spam eingestuft)', 'message'],
  ['DATA', '554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc', 'message'],
  ['DATA', '552 5.7.0 Our system detected an illegal attachment on your message.', 'message'],
  // The recipient, for now
  [
    'RCPT TO',
    '550 Benutzer hat das Speichervolumen ueberschritten. / User has exhausted allowed storage space.',
    'later',
  ],
  ['RCPT TO', '550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.', 'later'],
  ['RCPT TO', '422 4.2.2 Quota limit exceeded (Speicherplatz des Kontos ueberschritten)', 'later'],
  ['RCPT TO', '451 qq trouble in home directory (#4.3.0)', 'later'],
  ['RCPT TO', '450 4.1.2 <info@acme.example>: Recipient address rejected: Domain not found', 'later'],
  ['RCPT TO', '451 Internal resources are temporarily unavailable', 'later'],
  // The rate
  ['connection', '450 too frequent connects from 192.0.2.1, please try again later.', 'rate'],
  ['DATA', '550 Ip frequency limited [x IP: 192.0.2.1].', 'rate'],
  // The sender, its account or its server
  ['DATA', '554 5.7.1 Reached address outgoing limits', 'sender'],
  ['DATA', "451 You've exceeded your messaging limits", 'sender'],
  ['DATA', '554 User has exceeded its 24-hour sending limit. Messages to 25 recipients out of 25', 'sender'],
  ['DATA', "554 5.2.2 The message can't be submitted because the sender's submission quota was exceeded.", 'sender'],
  [
    'DATA',
    '450 You can only send testing emails to your own email address (me@site.example). To send emails to other recipients, please verify a domain',
    'sender',
  ],
  ['DATA', '550 5.7.1 Your account has been blocked for sending spam', 'sender'],
  ['DATA', '554 5.1.8 Email Outgoing Blocked', 'sender'],
  ['RCPT TO', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'sender'],
  ['RCPT TO', '553 Relaying disallowed as ada@site.example', 'sender'],
  ['RCPT TO', '550 Administrative prohibition - envelope blocked', 'sender'],
  ['connection', '554 Refused. Your reverse DNS entry contains your IP address and a country code.', 'sender'],
  ['connection', '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa)', 'sender'],
  ['connection', '550 smtp-16.iol.local IP blacklisted by CSI. For remediation please use', 'sender'],
  [
    'connection',
    "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
    'sender',
  ],
  ['DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'sender'],
  ['DATA', '550 5.7.750 Service unavailable. Client blocked from sending from unregistered domains.', 'sender'],
  ['DATA', '550 5.7.0 Mail relay denied. Your plan allows 200 emails per day.', 'sender'],
];
