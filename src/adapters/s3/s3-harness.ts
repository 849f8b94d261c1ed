import S3rver from '@20minutes/s3rver';

export interface TestS3 {
  readonly options: {
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: {readonly accessKeyId: string; readonly secretAccessKey: string};
  };
  close(): Promise<void>;
}

/** A server that speaks S3, with one bucket, on a free port of this machine. */
export async function startS3(directory: string, bucket: string): Promise<TestS3> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{name: bucket}],
  });
  const {port} = await server.run();
  return {
    options: {
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: {accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER'},
    },
    close: () => server.close(),
  };
}
