/// <reference types="vite/client" />

/** The version of All Clear, such as `1.0.0`. The build puts it in. */
declare const serviceVersion: string;
