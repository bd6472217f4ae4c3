/** `beginsAtDate` is `begins_at_date` in /v1, in columns and in themes; `chatA` is `chat_a`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase();
