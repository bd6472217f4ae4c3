/** Converts `beginsAtDate` to `begins_at_date`, as /v1, columns and themes write it; `chatA` to `chat_a`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase();
