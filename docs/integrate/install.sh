npm install https://api.example.com/client/affiliate-programme-client-0.2.0.tgz
