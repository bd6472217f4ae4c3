/** The forms of an id of web analytics for which pages have code: the measurement and the tracking id of Google. */
const pattern = /^(?:G-[A-Z0-9]{4,16}|UA-[0-9]{4,12}-[0-9]{1,4})$/;

export const analyticsIdForms = 'G-XXXXXXXXXX or UA-XXXXXXXX-X';

/** Whether a page with this id loads analytics. The id goes into a script, so no other is used. */
export const isAnalyticsId = (id: string): boolean => pattern.test(id);
