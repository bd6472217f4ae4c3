/** One mail that is sent at once, outside of any publication: to one person, who asked for it a moment ago. */
export interface DirectMail {
  to: string;
  /** Whose page it is about: the name beside the address that it comes from, where the operator gave none. */
  about: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface DirectSms {
  to: string;
  text: string;
}

/** The other side did not take it; `forGood`: nor will it another time. */
export class NotTaken extends Error {
  constructor(
    answer: string,
    readonly forGood: boolean,
  ) {
    super(answer);
  }
}

/** Sends what somebody is waiting for on the public page: confirmation links, and codes. Never within a transaction. It throws where it was not taken. */
export interface DirectSender {
  sendMail(mail: DirectMail): Promise<void>;
  sendSms(sms: DirectSms): Promise<void>;
}

/** Where nothing is configured, and so nothing is offered either. */
export const noSender: DirectSender = {
  sendMail: () => Promise.reject(new Error('no mail server is configured')),
  sendSms: () => Promise.reject(new Error('no SMS gateway is configured')),
};
